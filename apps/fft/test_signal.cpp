#include "fft/test_signal.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

namespace cubefold::fft_program {

namespace {

/// Returns the output of the splitmix64 generator for state x. Every bit of x affects every bit of the result.
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// Returns a random number in [-0.5, 0.5) that depends only on `number`.
double uniform(std::uint64_t number) {
  constexpr double unit = 1.0 / (std::uint64_t{1} << 53);
  return static_cast<double>(mixed(number) >> 11) * unit - 0.5;
}

/// These are the frequencies of the tones in each dimension, as fractions of its length.
constexpr std::array<double, 3> tones{0.05, 0.11, 0.31};

}  // namespace

TestSignal::TestSignal(Signal signal, npy::Shape shape, std::optional<std::size_t> half_of)
    : signal_(signal), shape_(std::move(shape)), half_of_(half_of) {
  if (half_of_) shape_.back() = *half_of_;
}

std::complex<double> TestSignal::at(std::size_t point) const {
  return signal_ == Signal::random ? random_at(point) : tones_at(point);
}

std::complex<double> TestSignal::random_at(std::size_t point) const {
  if (!half_of_) return {uniform(2 * point), uniform(2 * point + 1)};
  const std::size_t own = in_whole_spectrum(point);
  const std::size_t other = mirrored(own);
  if (own == other) return uniform(2 * own);
  if (own < other) return {uniform(2 * own), uniform(2 * own + 1)};
  return {uniform(2 * other), -uniform(2 * other + 1)};
}

std::complex<double> TestSignal::tones_at(std::size_t point) const {
  if (half_of_) point = in_whole_spectrum(point);
  std::array<double, tones.size()> turns{};
  for (std::size_t d = shape_.size(); d-- > 0;) {
    const std::size_t index = point % shape_[d];
    point /= shape_[d];
    for (std::size_t t = 0; t < tones.size(); ++t) {
      const auto cycles = static_cast<std::size_t>(tones[t] * static_cast<double>(shape_[d]));
      turns[t] += static_cast<double>(cycles * index % shape_[d]) / static_cast<double>(shape_[d]);
    }
  }
  double sum = 0;
  for (std::size_t t = 0; t < tones.size(); ++t) {
    sum += std::cos(2 * std::numbers::pi * turns[t]) / static_cast<double>(t + 1);
  }
  return sum;
}

std::size_t TestSignal::in_whole_spectrum(std::size_t point) const {
  const std::size_t frequencies = *half_of_ / 2 + 1;
  return point / frequencies * *half_of_ + point % frequencies;
}

std::size_t TestSignal::mirrored(std::size_t point) const {
  std::size_t result = 0;
  std::size_t weight = 1;
  for (std::size_t d = shape_.size(); d-- > 0;) {
    const std::size_t index = point % shape_[d];
    point /= shape_[d];
    result += (shape_[d] - index) % shape_[d] * weight;
    weight *= shape_[d];
  }
  return result;
}

}  // namespace cubefold::fft_program
