#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/mpi/virtual_comm.hpp"
#include "cubefold/transform/layout.hpp"
#include "cubefold/transform/plan_options.hpp"

namespace cubefold::fft {

/// A process's part of an array where that is a box: point x of dimension d in offsets[d] <= x < offsets[d] +
/// extents[d], in memory with the last dimension fastest. Where the output is transposed the order in memory is that of
/// Plan::output().
struct LocalBox {
  std::vector<std::size_t> extents;
  std::vector<std::size_t> offsets;

  bool operator==(const LocalBox&) const = default;
};

/// The time of this process that the last execute() took.
struct PhaseTimes {
  double transform_seconds = 0;  ///< local transforms, twiddles and copies, outside of exchanges
  double exchange_seconds = 0;   ///< from the begin of each exchange to its end
  double overlap_seconds =
      0;  ///< of those, spent on transforms, twiddles and copies while messages travelled
};

/// A discrete Fourier transform of an array that is spread over the virtual ranks of a communicator, planned once and
/// executed as often as wanted. Real: float or double.
///
/// One dimension: all virtual ranks are in one row, and PlanOptions says how points are spread over them. More
/// dimensions: row by row, the last dimension fastest, spread in blocks over the axes of the network grid by node
/// coordinates, so that an exchange stays on the links of its axes. Any lengths; where processes do not divide them,
/// some have less than others, or nothing.
///
/// Everything is collective, in one order on all processes. Every exchange is planned by mpi::PlanCache, which
/// CUBEFOLD_MACHINE and CUBEFOLD_ALLTOALL tell what to do; the result of one algorithm and decomposition is the same
/// bit by bit whatever they say. What is automatic of these choose() finds, with the machine file that CUBEFOLD_MACHINE
/// names.
template <typename Real>
class CUBEFOLD_API Plan {
 public:
  using Complex = std::complex<Real>;

  /// Lengths: one to three dimensions or more, slowest first. Collective. Outlives `comm`. Plans on one `comm` that are
  /// there at the same time share communicators and exchange plans, so that they run one after the other, also in
  /// several threads, and a failure in one ends the others. Memory: workspace_bytes(), tables of about the square root
  /// of the array, and what the exchanges need. FFTW plans on scratch of its own, under a lock of the process. Throws
  /// std::invalid_argument on all processes alike for lengths of 0, none or with a product past 2^62, for options that
  /// do not go together, and where processes ask for different transforms or another Real; mpi::Error where one has no
  /// memory.
  Plan(const mpi::VirtualComm& comm, std::vector<std::size_t> lengths, const PlanOptions& options = {});
  Plan(Plan&&) noexcept;
  Plan& operator=(Plan&&) noexcept;
  ~Plan();

  const std::vector<std::size_t>& lengths() const;
  const PlanOptions& options() const;  ///< as given, but for what was automatic: that is chosen

  /// These return which points go in and come out where, of one array of the batch: real numbers or complex ones.
  const Layout& input() const;
  const Layout& output() const;
  const Layout::Members& members() const;              ///< of this process: its place on each process axis
  Rank rank_of(const Layout::Members& members) const;  ///< of any process; cost O(grid axes)

  /// These return the number of points of this process in all arrays of the batch.
  std::size_t input_count() const;
  std::size_t output_count() const;

  /// These return this process's box, as FFTW's local_size functions give it. Throws std::invalid_argument where its
  /// points are no box: in one dimension for cyclic, block_cyclic and scrambled.
  LocalBox input_box() const;
  LocalBox output_box() const;

  /// Returns the size of the memory that execute() needs besides the arrays. The plan takes it when it is made, and
  /// gives it back when use_workspace() gives it so much of the caller's memory, aligned for std::max_align_t, which it
  /// uses from then on. Throws std::invalid_argument for a null pointer where memory is needed.
  std::size_t workspace_bytes() const;
  void use_workspace(void* memory);

  /// Collective. The arrays hold input_count() and output_count() points at least. They may begin at the same place,
  /// and then hold the larger of both in bytes; else they do not overlap, and the input is left as it is. Inverse
  /// transforms divide by the number of points. Throws std::invalid_argument, on this process and before any message,
  /// if the plan is of another kind; mpi::Error where MPI fails.
  void execute(const Complex* input, Complex* output);
  void execute(const Real* input, Complex* output);  ///< Kind::real, forward
  void execute(const Complex* input, Real* output);  ///< Kind::real, inverse

  /// Collective. Where execute() may have failed on one process alone, all call this before they destroy the plan:
  /// CommContext::settle().
  void settle() noexcept;

  /// Local. Returns some lines for people: stages, and for each exchange its messages, bytes, method, predicted time
  /// beside the bound that no exchange goes below; then all exchanges together, what was taken and why, and the cost of
  /// each alternative.
  std::string explain() const;

  PhaseTimes times() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

extern template class Plan<float>;
extern template class Plan<double>;

}  // namespace cubefold::fft
