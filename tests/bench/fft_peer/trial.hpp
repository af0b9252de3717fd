#pragma once

#include <memory>
#include <vector>

#include "cubefold/mpi/virtual_comm.hpp"
#include "transform.hpp"

namespace cubefold::bench {

/// Returns the frequencies at which results are compared. Collecting all of them would take longer than the transform.
std::vector<std::size_t> sample_of(std::size_t point_count);

/// A transform that takes part in the comparison, and the results of its first run.
struct Trial {
  std::string name;
  std::string baseline;  ///< baseline of our times; empty for FFTW's own
  std::unique_ptr<PeerTransform> transform;
  std::vector<Complex> sample;         ///< values at the frequencies of sample_of()
  double growth_over_data = 0;         ///< largest peak growth of memory over the array, of all processes
  std::vector<fft::PhaseTimes> times;  ///< of each timed run, means over processes
};

/// Returns everything that can be compared for these lengths, each planned and run once. Transforms that a library
/// refuses are left out. With `measures` both plan by FFTW_MEASURE instead of FFTW_ESTIMATE. All processes must call
/// this.
std::vector<Trial> make_trials(const mpi::VirtualComm& comm, const Lengths& lengths, bool measures);

/// Returns max |a - b| over the root of the mean |b|^2.
double largest_difference(const std::vector<Complex>& a, const std::vector<Complex>& b);

/// Returns the mean over processes. All processes must call this.
fft::PhaseTimes mean_times(MPI_Comm comm, const fft::PhaseTimes& times);

}  // namespace cubefold::bench
