#pragma once

#include <memory>
#include <vector>

#include "arrays.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "transform.hpp"

namespace cubefold::bench {

/// Returns the frequencies at which results are compared. They are a sample, because collecting all frequencies would
/// take longer than the transform.
std::vector<std::size_t> sample_of(std::size_t point_count);

/// Holds a transform that takes part in the comparison, and its results.
struct Trial {
  std::string name;
  std::string baseline;  ///< name of the trial to compare with; empty for FFTW MPI
  std::unique_ptr<PeerTransform> transform;
  std::vector<Complex> input;   ///< contents of Arrays::first() before the transform
  std::vector<Complex> sample;  ///< values at the frequencies of sample_of()
  double growth_over_data =
      0;  ///< peak memory of a program that plans and transforms, over the spectrum; largest
  std::vector<fft::PhaseTimes> times;  ///< times of each timed run, as means over processes
};

/// Returns all trials that are possible for these lengths, each planned and run. Transforms that a library refuses are
/// left out, and FFTW MPI has none for lines of real numbers. If `measures` is true, both libraries plan with
/// FFTW_MEASURE instead of FFTW_ESTIMATE. All processes must call this.
std::vector<Trial> make_trials(const mpi::VirtualComm& comm, const Lengths& lengths, fft::Kind kind,
                               bool measures, const Arrays& arrays);

/// Returns max |a - b|, divided by the root of the mean of |b|^2.
double largest_difference(const std::vector<Complex>& a, const std::vector<Complex>& b);

/// Returns the means of the times over all processes. All processes must call this.
fft::PhaseTimes mean_times(MPI_Comm comm, const fft::PhaseTimes& times);

}  // namespace cubefold::bench
