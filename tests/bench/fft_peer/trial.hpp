#pragma once

#include <memory>
#include <vector>

#include "cubefold/mpi/virtual_comm.hpp"
#include "transform.hpp"

namespace cubefold::bench {

/// Frequencies at which results are compared: not all, as all of them would take longer to collect than to compute.
std::vector<std::size_t> sample_of(std::size_t point_count);

/// A transform that takes part in the comparison, and what its first run said.
struct Trial {
  std::string name;
  std::string rival;  ///< whose times ours are compared with; empty for FFTW's own
  std::unique_ptr<PeerTransform> transform;
  std::vector<Complex> sample;  ///< values at the frequencies of sample_of()
  double growth_over_data = 0;  ///< peak growth of memory over the array, of the process where it is most
  std::vector<fft::PhaseTimes> times;  ///< of each timed run, means over processes
};

/// Collective: everything that can be compared for these lengths, each planned and run once. What a library refuses is
/// left out. `measures` has both plan by FFTW_MEASURE instead of FFTW_ESTIMATE.
std::vector<Trial> make_trials(const mpi::VirtualComm& comm, const Lengths& lengths, bool measures);

/// max |a - b| over the root of the mean |b|^2.
double largest_difference(const std::vector<Complex>& a, const std::vector<Complex>& b);

/// Collective: mean over processes.
fft::PhaseTimes mean_times(MPI_Comm comm, const fft::PhaseTimes& times);

}  // namespace cubefold::bench
