#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cubefold/mpi/virtual_comm.hpp"
#include "exchange/measure.hpp"
#include "exchange/model.hpp"

/// Where an exchange ran, what its plans reckon with, and what the stages of a CC-cube have to bridge.
struct Setting {
  std::string grid;
  std::string placement;
  std::size_t process_count;
  int repetitions;
  std::uint64_t seed;
  SourcedModel model;
  std::vector<int>
      stage_hops;  ///< longest distance between neighbours in each cube dimension; none where p is no power of two
};

/// Collective, O(log p): every process looks at its own neighbours only.
Setting setting_of(const cubefold::mpi::VirtualComm& comm, const cubefold::timing::RunOptions& options,
                   const SourcedModel& model);

/// The table that people read, on standard output.
void print_table(const Setting& setting, const Comparison& comparison);

/// The same as the table as data; times in seconds, sizes in bytes. `order` numbers the results in the order of their
/// runs. Ours have `method`, `pacing` and `predicted_seconds` besides, and in `links` what they should put on each
/// link.
nlohmann::ordered_json as_json(const Setting& setting, const Comparison& comparison,
                               const cubefold::Placement& placement);
