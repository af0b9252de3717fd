#include <stdexcept>

#include "fft/baseline.hpp"
#include "mpi/agreement.hpp"

namespace cubefold::fft_program {

std::unique_ptr<Baseline> fftw_baseline(const Problem&, const Options&, const npy::NaturalOrder& order,
                                        const void*) {
  mpi::agree_on_outcome(order.comm(), [] {
    throw std::invalid_argument("--compare fftw: built without FFTW MPI (Debian: libfftw3-mpi-dev)");
  });
  return nullptr;
}

}  // namespace cubefold::fft_program
