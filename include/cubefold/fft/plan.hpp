#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/mpi/virtual_comm.hpp"
#include "cubefold/transform/layout.hpp"
#include "cubefold/transform/local_box.hpp"
#include "cubefold/transform/plan_options.hpp"

namespace cubefold::fft {

/// The distances in the memory of one process between numbers whose positions differ by one.
struct LocalStrides {
  std::vector<std::size_t> dimensions;  ///< between neighbours in each dimension
  std::size_t batch;                    ///< between the numbers of a point in two arrays of the batch

  bool operator==(const LocalStrides&) const = default;
};

/// The times of the last execute() on this process.
struct PhaseTimes {
  double transform_seconds = 0;  ///< local transforms, twiddles and copies outside exchanges
  double exchange_seconds = 0;   ///< from the beginning of each exchange to its end
  double overlap_seconds = 0;    ///< part of exchange_seconds spent on local work while messages travelled
};

/// A discrete Fourier transform of an array that is distributed over the virtual ranks of a communicator. It is planned
/// once and executed as often as wanted. Real is float or double.
///
/// In one dimension, all virtual ranks form one process axis, and PlanOptions says how the points are distributed.
/// Arrays of more dimensions are row-major: the last dimension is fastest. They are distributed in blocks over the axes
/// of the network grid by node coordinates, so that an exchange stays on the links of its axes. All lengths are
/// possible. If they are not divisible by the number of processes, some processes have fewer points than others, or
/// none.
///
/// All processes must construct, execute and destroy the plans on one communicator in the same order. Exchanges are
/// planned as those of cubefold_alltoall; the environment variables CUBEFOLD_MACHINE and CUBEFOLD_ALLTOALL control
/// this. They do not change the result of one algorithm and decomposition, which is the same bit by bit. An automatic
/// algorithm or decomposition is chosen with the machine file that CUBEFOLD_MACHINE names.
template <typename Real>
class CUBEFOLD_API Plan {
 public:
  using Complex = std::complex<Real>;

  /// Plans a transform of an array with these lengths of its dimensions, the slowest dimension first. All processes
  /// must call this. The plan may outlive `comm`. Plans that exist on one `comm` at the same time share communicators
  /// and exchange plans. Therefore the caller must execute them one after the other, even in different threads, and a
  /// failure in one makes the others fail. Takes the memory of workspace_bytes(), tables of about the square root of
  /// the array, and the memory of the exchanges. FFTW plans on scratch memory under a lock of the process. Throws
  /// std::invalid_argument on all processes for no lengths, a length of 0, more than 2^62 points, options that exclude
  /// each other, and processes that ask for different transforms or another Real. Throws mpi::Error on all processes if
  /// one has no memory.
  Plan(const mpi::VirtualComm& comm, std::vector<std::size_t> lengths, const PlanOptions& options = {});
  Plan(Plan&&) noexcept;
  Plan& operator=(Plan&&) noexcept;
  ~Plan();

  const std::vector<std::size_t>& lengths() const;
  const PlanOptions& options() const;  ///< as given, with the choices for automatic ones

  /// These return the layouts of the points that go in and come out, of one array of the batch. The points are real or
  /// complex numbers. They throw std::invalid_argument if the points are in boxes of the program.
  const Layout& input() const;
  const Layout& output() const;
  const Layout::Members& members() const;              ///< coordinates of this process on the process axes
  Rank rank_of(const Layout::Members& members) const;  ///< rank of any process; cost O(grid axes)

  /// These return the number of points of this process in all arrays of the batch.
  std::size_t input_count() const;
  std::size_t output_count() const;

  /// These return the box of this process, as FFTW's local_size functions do. They throw std::invalid_argument if its
  /// points do not form a box, as in one dimension for cyclic, block_cyclic and scrambled.
  LocalBox input_box() const;
  LocalBox output_box() const;

  /// These return the order in memory of the box of this process, counted in numbers of that end. They throw
  /// std::invalid_argument if its points do not form a box.
  LocalStrides input_strides() const;
  LocalStrides output_strides() const;

  /// workspace_bytes() returns the bytes of memory that execute() needs besides the arrays. The constructor allocates
  /// this memory. use_workspace() frees it and makes the plan use the caller's memory from then on, which must have as
  /// many bytes and the alignment of std::max_align_t. It throws std::invalid_argument for a null pointer if memory is
  /// needed.
  std::size_t workspace_bytes() const;
  void use_workspace(void* memory);

  /// Transforms the array. All processes must call this. The arrays hold at least input_count() and output_count()
  /// points. They either begin at the same place, which then holds the larger of both in bytes, or do not overlap. If
  /// they do not overlap, the input stays as it is. PlanOptions has the factors of both directions. Throws
  /// std::invalid_argument, on this process and before any message, if the plan is of another kind. Throws mpi::Error
  /// if MPI fails.
  void execute(const Complex* input, Complex* output);
  void execute(const Real* input, Complex* output);  ///< Kind::real, forward
  void execute(const Complex* input, Real* output);  ///< Kind::real, inverse
  void execute(const Real* input, Real* output);     ///< Kind::real without a fourier dimension

  /// Transforms in a direction: that of the options, or with PlanOptions::both_directions also the other one, from the
  /// places of output() to those of input(). All processes must call this with the same direction. Throws as execute(),
  /// and std::invalid_argument before any message if the plan does not have the direction.
  void execute(Transform transform, const Complex* input, Complex* output);
  void execute(Transform transform, const Real* input, Complex* output);
  void execute(Transform transform, const Complex* input, Real* output);
  void execute(Transform transform, const Real* input, Real* output);

  /// Calls CommContext::agree_on_failures() for the exchanges of the plan. All processes must call this before they
  /// destroy the plan, if execute() may have failed on one process alone. Returns MPI_SUCCESS, or the code of
  /// MPI_Allreduce if that has failed on this process; the others may then wait for ever.
  int agree_on_failures() noexcept;

  /// Returns a description of several lines for people. It lists the stages, and for each exchange its messages, bytes,
  /// method and predicted time beside the lower bound of exchanges. Then follow the sums of all exchanges, the choice
  /// with its reason, the cost of each alternative, and the state of the exchanges that execute() measures. Does not
  /// communicate.
  std::string explain() const;

  /// Returns whether the next execute() measures candidates for an exchange of any process, so that its time is not yet
  /// that of the fastest. All processes must call this. Costs a small reduction for each process axis.
  bool is_measuring() const;

  PhaseTimes times() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

extern template class Plan<float>;
extern template class Plan<double>;

/// Returns the wisdom that FFTW has gathered in this process: FFTW's text for double precision, followed by its text
/// for single precision. Does not communicate. Throws std::bad_alloc.
CUBEFOLD_API std::string wisdom();

/// Writes the wisdom() of the process with virtual rank 0 to a file. All processes must call this. Throws
/// std::invalid_argument on all processes if the file cannot be written.
CUBEFOLD_API void export_wisdom(const mpi::VirtualComm& comm, const std::string& file);

/// Reads a file of export_wisdom() on virtual rank 0 and adds it to the wisdom of FFTW on every process. Plans of any
/// Rigor use it. All processes must call this. Throws std::invalid_argument on all processes if the file cannot be read
/// or is not wisdom of this version of FFTW.
CUBEFOLD_API void import_wisdom(const mpi::VirtualComm& comm, const std::string& file);

}  // namespace cubefold::fft
