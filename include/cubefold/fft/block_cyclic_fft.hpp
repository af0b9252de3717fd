#pragma once

#include <complex>
#include <memory>

#include "cubefold/export.h"
#include "cubefold/fft/block_cyclic.hpp"
#include "cubefold/fft/transform.hpp"
#include "cubefold/mpi/virtual_comm.hpp"

namespace cubefold::fft {

/// One-dimensional complex transform of m = 2^(n+2s) points over the 2^n virtual ranks of a communicator,
/// input and output in the same block-cyclic distribution and in natural order.
///
/// The paper's parallel FFT, which is a BinaryExchange: a bit reversal between the ranks, then the butterfly stages, of which the
/// middle n combine whole parts with the neighbour in cube dimension 0, 1, ..., n-1. The first s and the last s
/// stages are local and done by FFTW. Source: [Lcc] section 6.2; ours differs by a twiddle between local and
/// distributed stages, as the local ones are whole transforms.
class CUBEFOLD_API BlockCyclicFft {
 public:
  using Complex = std::complex<double>;

  /// Collective. Duplicates the communicator, plans with FFTW_ESTIMATE, and allocates a work array of local_count()
  /// points and twiddles of about 4 sqrt(m) points. Throws on all processes alike: std::invalid_argument if the points
  /// do not fit (see BlockCyclic), a rank's part passes 2^31 - 1 bytes, or processes ask for different transforms;
  /// mpi::Error if one has no memory.
  BlockCyclicFft(const mpi::VirtualComm& comm, std::size_t point_count, Transform transform);
  BlockCyclicFft(BlockCyclicFft&&) noexcept;
  BlockCyclicFft& operator=(BlockCyclicFft&&) noexcept;
  ~BlockCyclicFft();

  const BlockCyclic& distribution() const;

  /// Collective: at most n + 1 messages of local_count() points each. Both arrays hold local_count() points, point
  /// distribution().point_at(rank, i) at place i; they may be the same array, else the input is left as it is. Throws
  /// mpi::Error if a message fails.
  void execute(const Complex* input, Complex* output);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cubefold::fft
