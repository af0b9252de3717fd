#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cubefold/fft/plan.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "fft/options.hpp"
#include "fft/problem.hpp"
#include "fft/spectrum.hpp"
#include "timing/runs.hpp"

namespace cubefold::fft_program {

/// Describes the runs of another library for comparison.
struct Comparison {
  timing::Times times;
  double difference;  ///< relative L2 difference of the results
  double limit;
  std::string departures;  ///< how it differs from our transform; empty if it does the same

  bool agrees() const { return difference <= limit; }
};

/// Describes the steps of the program in the order in which they happened. Times are those of the slowest process.
struct Report {
  Problem problem;
  fft::PlanOptions plan;
  std::string explanation;
  double plan_seconds = 0;
  double read_seconds = 0;
  timing::Times transform;
  fft::PhaseTimes phases;  ///< phases of the run of median time
  double write_seconds = 0;
  /// Relative difference of the two sides of Parseval's equation, which cosines and sines do not have.
  std::optional<double> energy_difference;
  std::optional<double> error;
  std::optional<Comparison> comparison;
  std::vector<Bin> strongest;

  bool is_right() const;
  double flops_per_second() const { return problem.flops() / transform.median(); }
};

void print(const Report& report, const mpi::VirtualComm& comm, const Options& options);

/// Prints the plan, as --explain asks for it.
void print_plan(const Report& report, const mpi::VirtualComm& comm, const Options& options);

nlohmann::ordered_json as_json(const Report& report, const mpi::VirtualComm& comm, const Options& options);

}  // namespace cubefold::fft_program
