#include "permute/pattern.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

using cubefold::Rank;

namespace {

[[noreturn]] void refuse(std::string_view pattern, const std::string& rule) {
  throw std::invalid_argument(fmt::format("pattern '{}': {}", pattern, rule));
}

std::uint32_t number(std::string_view pattern, std::string_view digits) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size()) {
    refuse(pattern, fmt::format("'{}' is no number", digits));
  }
  return value;
}

/// What follows `KIND:`, if the pattern is of that kind.
std::optional<std::string_view> argument(std::string_view pattern, std::string_view kind) {
  if (!pattern.starts_with(kind) || !pattern.substr(kind.size()).starts_with(':')) return std::nullopt;
  return pattern.substr(kind.size() + 1);
}

int dimension_count(std::string_view pattern, std::size_t rank_count) {
  if (!std::has_single_bit(rank_count)) {
    refuse(pattern, fmt::format("{} ranks are no power of two", rank_count));
  }
  return std::countr_zero(rank_count);
}

template <typename Destination>
std::vector<Rank> table(std::size_t rank_count, Destination destination) {
  std::vector<Rank> to(rank_count);
  for (std::size_t r = 0; r < rank_count; ++r) to[r] = static_cast<Rank>(destination(r));
  return to;
}

std::size_t reversed(std::size_t rank, int bit_count) {
  std::size_t result = 0;
  for (int i = 0; i < bit_count; ++i) result |= (rank >> i & 1U) << (bit_count - 1 - i);
  return result;
}

std::vector<Rank> reversal(std::string_view pattern, std::size_t rank_count, std::size_t flipped) {
  const int d = dimension_count(pattern, rank_count);
  return table(rank_count, [=](std::size_t r) { return reversed(r, d) ^ flipped; });
}

std::vector<Rank> transpose(std::string_view pattern, std::string_view shape, std::size_t rank_count) {
  const auto cross = shape.find('x');
  if (cross == std::string_view::npos) refuse(pattern, "the shape is written ROWSxCOLUMNS");
  const std::size_t rows = number(pattern, shape.substr(0, cross));
  const std::size_t columns = number(pattern, shape.substr(cross + 1));
  if (rows * columns != rank_count) {
    refuse(pattern,
           fmt::format("the matrix has {} elements, but there are {} ranks", rows * columns, rank_count));
  }
  return table(rank_count, [=](std::size_t r) { return r % columns * rows + r / columns; });
}

std::vector<Rank> neighbour(std::string_view pattern, std::uint32_t dimension, std::size_t rank_count) {
  const int d = dimension_count(pattern, rank_count);
  if (std::cmp_greater_equal(dimension, d)) {
    refuse(pattern, fmt::format("{} ranks have {} dimensions, counted from 0", rank_count, d));
  }
  return table(rank_count, [=](std::size_t r) { return r ^ std::size_t{1} << dimension; });
}

std::vector<Rank> shift(std::string_view pattern, std::uint32_t by, std::size_t rank_count) {
  if (by >= rank_count)
    refuse(pattern, fmt::format("the shift is not below the number of ranks, {}", rank_count));
  return table(rank_count, [=](std::size_t r) { return (r + by) % rank_count; });
}

}  // namespace

std::vector<Rank> destinations(std::string_view pattern, std::size_t rank_count) {
  if (pattern == "bit-reversal") return reversal(pattern, rank_count, 0);
  if (pattern == "reverse-flip") return reversal(pattern, rank_count, rank_count - 1);
  if (const auto shape = argument(pattern, "transpose")) return transpose(pattern, *shape, rank_count);
  if (const auto k = argument(pattern, "neighbour"))
    return neighbour(pattern, number(pattern, *k), rank_count);
  if (const auto k = argument(pattern, "shift")) return shift(pattern, number(pattern, *k), rank_count);
  refuse(pattern, "unknown; known: bit-reversal, reverse-flip, transpose:AxB, neighbour:K, shift:K");
}
