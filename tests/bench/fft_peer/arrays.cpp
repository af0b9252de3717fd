#include "arrays.hpp"

#include <fftw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <stdexcept>

namespace cubefold::bench {

namespace {

std::size_t divided_up(std::size_t count, std::size_t by) {
  return (count + by - 1) / by;
}

}  // namespace

Arrays::Arrays(const Lengths& lengths, std::size_t process_count) {
  const Lengths padded = lengths.size() > 1 ? spectrum_lengths(lengths, fft::Kind::real) : lengths;
  Lengths most = lengths;
  most.back() = std::max(most.back(), padded.back());
  used_ = divided_up(point_count(most), process_count);
  constexpr std::size_t few = 4096;
  capacity_ = 2 * used_ + few;
  first_ = touched();
  second_ = touched();
}

void Arrays::Free::operator()(Complex* memory) const {
  fftw_free(memory);
}

/// FFTW's own allocation gives the alignment that its plans suit.
Arrays::Array Arrays::touched() const {
  auto* const memory = static_cast<Complex*>(fftw_malloc(capacity_ * sizeof(Complex)));
  if (memory == nullptr) throw std::bad_alloc();
  std::fill_n(memory, used_, Complex(0));
  return Array(memory);
}

void Arrays::require(std::size_t points) const {
  if (points > capacity_)
    throw std::length_error(fmt::format("an array for {} points has to hold {}", capacity_, points));
}

}  // namespace cubefold::bench
