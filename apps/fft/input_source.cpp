#include "fft/input_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <stdexcept>
#include <string_view>

#include "fft/test_signal.hpp"
#include "npy/parallel_file.hpp"
#include "program/values.hpp"

namespace cubefold::fft_program {

template <typename Real>
void InputSource::fill(Part<Real>& part, const PointLayout& at, const npy::NaturalOrder& order) const {
  if (problem_.file) {
    read(part, at, order.comm());
  } else {
    make(part, order.own());
  }
}

template <typename Real>
void InputSource::read(Part<Real>& part, const PointLayout& at, MPI_Comm comm) const {
  const npy::Header& header = *problem_.file;
  npy::read_part(comm, at.layout, at.members, options_.input, header, part.data());
  if (npy::is_complex(header.element) || !npy::is_complex(problem_.input)) return;
  // Real numbers are converted to complex ones in place, so the last number is converted first.
  for (std::size_t i = at.layout.local_count(at.members); i-- > 0;) part.complex()[i] = part.real()[i];
}

template <typename Real>
void InputSource::make(Part<Real>& part, const npy::OwnPoints& own) const {
  const TestSignal signal(options_.signal, problem_.input_shape, problem_.half_of_input());
  const bool is_complex = npy::is_complex(problem_.input);
  own.for_each([&](std::size_t point, std::size_t place) {
    const std::complex<double> value = signal.at(point);
    if (is_complex) {
      part.complex()[place] = std::complex<Real>(value);
    } else {
      part.real()[place] = static_cast<Real>(value.real());
    }
  });
}

template void InputSource::fill(Part<float>&, const PointLayout&, const npy::NaturalOrder&) const;
template void InputSource::fill(Part<double>&, const PointLayout&, const npy::NaturalOrder&) const;

}  // namespace cubefold::fft_program
