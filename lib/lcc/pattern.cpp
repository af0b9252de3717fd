#include "cubefold/lcc/pattern.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "text/known_names.hpp"

namespace cubefold {

namespace {

/// Splits the bits of a label: the lower bits are the column, the upper bits the row.
struct Shape {
  int row_bits;
  int column_bits;

  int bits() const { return row_bits + column_bits; }
  std::uint64_t all() const { return low_bits(bits()); }
  std::uint64_t columns() const { return low_bits(column_bits); }
  std::uint64_t rows() const { return all() ^ columns(); }
  Shape turned() const { return {column_bits, row_bits}; }
};

std::vector<int> in_place(int bits) {
  std::vector<int> sources(static_cast<std::size_t>(bits));
  std::iota(sources.begin(), sources.end(), 0);
  return sources;
}

/// Returns y_k = x_{sources[k]} + complement_k.
Lcc moved_bits(const std::vector<int>& sources, std::uint64_t complement = 0) {
  return Lcc(BitMatrix::permutation(sources), complement);
}

Lcc complemented(int bits, std::uint64_t complement) {
  return Lcc(BitMatrix::identity(bits), complement);
}

/// Returns the communication that reverses bits first .. end - 1.
Lcc bits_reversed(int bits, int first, int end, std::uint64_t complement = 0) {
  auto sources = in_place(bits);
  std::reverse(sources.begin() + first, sources.begin() + end);
  return moved_bits(sources, complement);
}

/// Returns y_k = x_{k + by}, with bit numbers modulo n.
Lcc rotated_bits(int bits, int by, std::uint64_t complement = 0) {
  auto sources = in_place(bits);
  if (bits > 0) std::rotate(sources.begin(), sources.begin() + by, sources.end());
  return moved_bits(sources, complement);
}

Lcc transposed(const Shape& shape, std::uint64_t complement = 0) {
  return rotated_bits(shape.bits(), shape.column_bits, complement);
}

/// Returns the communication in which the source of a pixel is at half its row and half its column.
Lcc zoomed(const Shape& shape) {
  BitMatrix half(shape.bits());
  for (int i = 0; i + 1 < shape.bits(); ++i) {
    if (i + 1 != shape.column_bits) half.set(i, i + 1);
  }
  return Lcc(half, 0, Gives::source);
}

enum class Name : std::uint8_t {
  bit_reversal,
  reverse_flip,
  shuffle,
  unshuffle,
  exchange,
  complement,
  transpose,
  reflect_antidiagonal,
  rotate_clockwise,
  rotate_counterclockwise,
  rotate_180,
  reflect_left_right,
  reflect_top_bottom,
  zoom,
  bit_reversal_in_rows,
  bit_reversal_in_columns
};

constexpr std::array<std::pair<std::string_view, Name>, 16> names{{
    {"bit-reversal", Name::bit_reversal},
    {"reverse-flip", Name::reverse_flip},
    {"shuffle", Name::shuffle},
    {"unshuffle", Name::unshuffle},
    {"exchange", Name::exchange},
    {"complement", Name::complement},
    {"transpose", Name::transpose},
    {"reflect-antidiagonal", Name::reflect_antidiagonal},
    {"rotate-clockwise", Name::rotate_clockwise},
    {"rotate-counterclockwise", Name::rotate_counterclockwise},
    {"rotate-180", Name::rotate_180},
    {"reflect-left-right", Name::reflect_left_right},
    {"reflect-top-bottom", Name::reflect_top_bottom},
    {"zoom", Name::zoom},
    {"bit-reversal-in-rows", Name::bit_reversal_in_rows},
    {"bit-reversal-in-columns", Name::bit_reversal_in_columns},
}};

/// Reads a pattern's text and throws std::invalid_argument that quotes it.
class PatternReader {
 public:
  PatternReader(std::string_view text, int bits) : text_(text), bits_(bits) {
    const auto colon = text.find(':');
    name_ = text.substr(0, colon);
    if (colon != std::string_view::npos) argument_ = text.substr(colon + 1);
  }

  Lcc read() const {
    if (bits_ < 0 || bits_ > 64) fail(fmt::format("{} bits are not in 0 .. 64", bits_));
    switch (name()) {
      case Name::bit_reversal:
        return plain(bits_reversed(bits_, 0, bits_));
      case Name::reverse_flip:
        return plain(bits_reversed(bits_, 0, bits_, low_bits(bits_)));
      case Name::shuffle:
        return plain(rotated_bits(bits_, bits_ - 1));
      case Name::unshuffle:
        return plain(rotated_bits(bits_, 1));
      case Name::exchange:
        return complemented(bits_, std::uint64_t{1} << dimension());
      case Name::complement:
        return plain(complemented(bits_, low_bits(bits_)));
      case Name::transpose:
        return transposed(shape());
      case Name::reflect_antidiagonal:
        return transposed(shape(), shape().all());
      case Name::rotate_clockwise:
        return transposed(shape(), shape().turned().columns());
      case Name::rotate_counterclockwise:
        return transposed(shape(), shape().turned().rows());
      case Name::rotate_180:
        return complemented(bits_, shape().all());
      case Name::reflect_left_right:
        return complemented(bits_, shape().columns());
      case Name::reflect_top_bottom:
        return complemented(bits_, shape().rows());
      case Name::zoom:
        return zoomed(shape());
      case Name::bit_reversal_in_rows:
        return bits_reversed(bits_, 0, shape().column_bits);
      case Name::bit_reversal_in_columns:
        return bits_reversed(bits_, shape().column_bits, bits_);
    }
    fail("unknown");
  }

 private:
  [[noreturn]] void fail(const std::string& rule) const {
    throw std::invalid_argument(fmt::format("pattern '{}': {}", text_, rule));
  }

  Name name() const {
    for (const auto& [known, value] : names) {
      if (name_ == known) return value;
    }
    const auto known = pattern_names();
    fail(unknown_name("name", name_, {known.begin(), known.end()}));
  }

  Lcc plain(Lcc lcc) const {
    if (argument_) fail(fmt::format("{} takes nothing after its name", name_));
    return lcc;
  }

  std::uint64_t number(std::string_view digits) const {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size()) {
      fail(fmt::format("'{}' is not a number", digits));
    }
    return value;
  }

  int dimension() const {
    const auto value = argument_ ? number(*argument_) : 0;
    if (value >= static_cast<std::uint64_t>(bits_)) {
      fail(fmt::format("dimension {} is not below {}", value, bits_));
    }
    return static_cast<int>(value);
  }

  Shape shape() const {
    if (!argument_) {
      if (bits_ % 2 != 0) fail(fmt::format("2^{} ranks make no square; say {}:ROWSxCOLUMNS", bits_, name_));
      return {bits_ / 2, bits_ / 2};
    }
    const auto by = argument_->find('x');
    if (by == std::string_view::npos) fail(fmt::format("'{}' is not ROWSxCOLUMNS", *argument_));
    const Shape shape{log2_of(argument_->substr(0, by)), log2_of(argument_->substr(by + 1))};
    if (shape.bits() != bits_) {
      fail(fmt::format("{} are 2^{} ranks, not 2^{}", *argument_, shape.bits(), bits_));
    }
    return shape;
  }

  int log2_of(std::string_view extent) const {
    const auto value = number(extent);
    if (!std::has_single_bit(value)) fail(fmt::format("{} is not a power of two", value));
    return std::countr_zero(value);
  }

  std::string_view text_;
  int bits_;
  std::string_view name_;
  std::optional<std::string_view> argument_;
};

}  // namespace

Lcc parse_pattern(std::string_view text, int bits) {
  return PatternReader(text, bits).read();
}

std::vector<std::string> pattern_names() {
  std::vector<std::string> result;
  result.reserve(names.size());
  for (const auto& [name, value] : names) result.emplace_back(name);
  return result;
}

}  // namespace cubefold
