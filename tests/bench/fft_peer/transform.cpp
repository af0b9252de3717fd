#include "transform.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <functional>
#include <numeric>

namespace cubefold::bench {

namespace {

/// Returns the splitmix64 hash of Steele, Lea and Flood. Every bit of the argument affects every bit of the result.
std::uint64_t mixed(std::uint64_t bits) {
  bits += 0x9e3779b97f4a7c15;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
  return bits ^ (bits >> 31);
}

double fraction(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1p-53;
}

}  // namespace

Complex value_at(std::size_t point) {
  return {fraction(mixed(2 * point)) - 0.5, fraction(mixed(2 * point + 1)) - 0.5};
}

std::size_t point_count(const Lengths& lengths) {
  return std::accumulate(lengths.begin(), lengths.end(), std::size_t{1}, std::multiplies<>());
}

Lengths spectrum_lengths(Lengths lengths, fft::Kind kind) {
  if (kind == fft::Kind::real) lengths.back() = lengths.back() / 2 + 1;
  return lengths;
}

std::string to_string(const Lengths& lengths) {
  return fmt::format("{}", fmt::join(lengths, "x"));
}

}  // namespace cubefold::bench
