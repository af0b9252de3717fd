#pragma once

#include <mpi.h>

#include <complex>
#include <cstddef>
#include <memory>
#include <vector>

#include "cubefold/fft/binary_exchange.hpp"
#include "cubefold/fft/plan.hpp"
#include "cubefold/fft/program.hpp"
#include "plan_text.hpp"
#include "process_axes.hpp"

namespace cubefold::fft {

/// What a plan runs: which that is turns out only when it is made.
template <typename Real>
class Transformer {
 public:
  using Complex = std::complex<Real>;

  Transformer() = default;
  Transformer(const Transformer&) = delete;
  Transformer& operator=(const Transformer&) = delete;
  virtual ~Transformer() = default;

  /// Of one array of the batch; members on all process axes.
  virtual const Layout& input() const = 0;
  virtual const Layout& output() const = 0;
  virtual Element input_element() const = 0;
  virtual Element output_element() const = 0;
  virtual const Layout::Members& members() const = 0;

  /// Collective. All arrays of the batch; workspace has workspace_bytes(). Input and output may be the same.
  virtual std::size_t workspace_bytes() const = 0;
  virtual void run(const Complex* input, Complex* output, Complex* workspace) = 0;
  virtual PhaseTimes times() const = 0;

  /// Collective over `comm`, all processes. What it does, step by step, for people. Throws alike on all processes.
  virtual std::string text(MPI_Comm comm) = 0;
};

/// Collective over `comm`, all processes of the axes, which live as long as what it gives. Throws alike on all processes.
template <typename Real>
std::unique_ptr<Transformer<Real>> program_transformer(Program program, std::vector<ProcessAxis>& axes,
                                                       MPI_Comm comm, const PlanOptions& options);

/// The same on the processes of the one axis. `packet_count`: of each stage.
template <typename Real>
std::unique_ptr<Transformer<Real>> butterfly_transformer(const BinaryExchange& exchange, ProcessAxis& axis,
                                                         std::size_t packet_count, MPI_Comm comm,
                                                         const PlanOptions& options);

}  // namespace cubefold::fft
