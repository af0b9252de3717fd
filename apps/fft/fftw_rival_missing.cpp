#include <stdexcept>

#include "fft/rival.hpp"
#include "mpi/agreement.hpp"

namespace cubefold::fft_program {

std::unique_ptr<Rival> fftw_rival(const Problem&, const Options&, const npy::NaturalOrder& order,
                                  const void*) {
  mpi::collective_try(order.comm(), [] {
    throw std::invalid_argument("--compare fftw: built without FFTW MPI (Debian: libfftw3-mpi-dev)");
  });
  return nullptr;
}

}  // namespace cubefold::fft_program
