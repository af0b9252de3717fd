#include "fftw_transform.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_set>

namespace cubefold::bench {

FftwTransform::FftwTransform(const Lengths& lengths, MPI_Comm comm, FftwOrder order, unsigned rigor,
                             fft::Kind kind, const Arrays& arrays)
    : lengths_(spectrum_lengths(lengths, kind)), last_(lengths.back()), order_(order), kind_(kind) {
  if (lengths.size() == 1 && kind == fft::Kind::real) return;  // FFTW MPI has no such transform
  if (lengths.size() == 1) {
    plan_line(comm, rigor | (order == FftwOrder::loose ? FFTW_MPI_SCRAMBLED_OUT : 0U), arrays);
  } else {
    plan_box(comm, rigor | (order == FftwOrder::loose ? FFTW_MPI_TRANSPOSED_OUT : 0U), arrays);
  }
}

FftwTransform::~FftwTransform() {
  if (plan_ != nullptr) fftw_destroy_plan(plan_);
}

void FftwTransform::plan_line(MPI_Comm comm, unsigned flags, const Arrays& arrays) {
  const auto n = static_cast<std::ptrdiff_t>(lengths_[0]);
  count_ =
      fftw_mpi_local_size_1d(n, comm, FFTW_FORWARD, flags, &count_in_, &first_in_, &count_out_, &first_out_);
  arrays.require(static_cast<std::size_t>(count_));
  data_ = reinterpret_cast<fftw_complex*>(arrays.first());
  plan_ = fftw_mpi_plan_dft_1d(n, data_, data_, comm, FFTW_FORWARD, flags);
}

void FftwTransform::plan_box(MPI_Comm comm, unsigned flags, const Arrays& arrays) {
  std::vector<std::ptrdiff_t> n(lengths_.begin(), lengths_.end());
  const int rank = static_cast<int>(n.size());
  row_ = static_cast<std::ptrdiff_t>(point_count(lengths_) / lengths_[0]);
  count_ =
      fftw_mpi_local_size_transposed(rank, n.data(), comm, &count_in_, &first_in_, &count_out_, &first_out_);
  arrays.require(static_cast<std::size_t>(count_));
  data_ = reinterpret_cast<fftw_complex*>(arrays.first());
  if (kind_ == fft::Kind::complex) {
    plan_ = fftw_mpi_plan_dft(rank, n.data(), data_, data_, comm, FFTW_FORWARD, flags);
    return;
  }
  numbers_ = &data_[0][0];
  spectrum_ = reinterpret_cast<fftw_complex*>(arrays.second());
  n.back() = static_cast<std::ptrdiff_t>(last_);
  plan_ = fftw_mpi_plan_dft_r2c(rank, n.data(), numbers_, spectrum_, comm, flags);
}

void FftwTransform::fill_with_numbers() {
  const std::size_t padded = 2 * lengths_.back();
  const auto row_count = static_cast<std::size_t>(count_in_ * row_) / lengths_.back();
  const auto first_row = static_cast<std::size_t>(first_in_ * row_) / lengths_.back();
  for (std::size_t row = 0; row < row_count; ++row) {
    for (std::size_t i = 0; i < last_; ++i)
      numbers_[row * padded + i] = value_at((first_row + row) * last_ + i).real();
  }
}

void FftwTransform::fill() {
  if (kind_ == fft::Kind::real) return fill_with_numbers();
  for (std::ptrdiff_t place = 0; place < count_in_ * row_; ++place) {
    const Complex value = value_at(static_cast<std::size_t>(first_in_ * row_ + place));
    data_[place][0] = value.real();
    data_[place][1] = value.imag();
  }
}

void FftwTransform::learn_order(const std::vector<std::size_t>& points) {
  if (lengths_.size() > 1 || order_ == FftwOrder::natural) return;
  const auto n = static_cast<std::ptrdiff_t>(lengths_[0]);
  std::fill_n(&data_[0][0], 2 * count_, 0.0);
  if (first_in_ <= 1 && 1 < first_in_ + count_in_) data_[1 - first_in_][0] = 1;
  run();

  const std::unordered_set<std::size_t> wanted(points.begin(), points.end());
  for (std::ptrdiff_t place = 0; place < count_out_; ++place) {
    const double turns = -std::arg(at(place)) / (2 * std::numbers::pi);
    const auto k = (std::lround(turns * static_cast<double>(n)) + n) % n;
    if (wanted.count(static_cast<std::size_t>(k)) != 0)
      scrambled_places_[static_cast<std::size_t>(k)] = place;
  }
}

std::optional<std::ptrdiff_t> FftwTransform::place_of(std::size_t point) const {
  if (lengths_.size() == 1 && order_ == FftwOrder::loose) {
    const auto found = scrambled_places_.find(point);
    if (found == scrambled_places_.end()) return {};
    return found->second;
  }
  const auto index = static_cast<std::ptrdiff_t>(point);
  if (order_ == FftwOrder::natural) {
    const auto first = lengths_.size() == 1 ? first_out_ : first_in_ * row_;
    const auto count = lengths_.size() == 1 ? count_out_ : count_in_ * row_;
    if (index < first || index >= first + count) return {};
    return index - first;
  }
  // In transposed order dimension 1 comes before dimension 0.
  const auto n0 = static_cast<std::ptrdiff_t>(lengths_[0]);
  const auto rest = row_ / static_cast<std::ptrdiff_t>(lengths_[1]);
  const auto x1 = index % row_ / rest;
  if (x1 < first_out_ || x1 >= first_out_ + count_out_) return {};
  return ((x1 - first_out_) * n0 + index / row_) * rest + index % rest;
}

std::optional<Complex> FftwTransform::value_of(std::size_t point) const {
  const auto place = place_of(point);
  if (!place) return {};
  return at(*place);
}

}  // namespace cubefold::bench
