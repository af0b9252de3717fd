#include "cubefold/plan/phase.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>
#include <stdexcept>
#include <utility>

#include "cubefold/lcc/pattern.hpp"
#include "text/known_names.hpp"

namespace cubefold {

namespace {

/// Reads the text of a phase, and quotes it in exceptions.
class PhaseReader {
 public:
  PhaseReader(std::string_view text, std::size_t rank_count, const Grid* grid)
      : text_(text), rank_count_(rank_count), grid_(grid) {
    const auto star = text.rfind('*');
    pattern_ = text.substr(0, star);
    if (star != std::string_view::npos) weight_ = weight(text.substr(star + 1));
    require_known(pattern_.substr(0, pattern_.find(':')));
  }

  std::vector<Phase> read() const {
    const auto colon = pattern_.find(':');
    const auto name = pattern_.substr(0, colon);
    const auto argument =
        colon == std::string_view::npos ? std::nullopt : std::optional(pattern_.substr(colon + 1));
    if (name == "cube") return cube(argument);
    if (name == "transpose" && argument) return {transpose(*argument)};
    if (name == "transpose" && !has_square_of_bits()) return {transpose_of_default_shape()};
    if (name == "block-cyclic-to-block" && argument) return {redistribution(*argument, true)};
    if (name == "block-to-block-cyclic" && argument) return {redistribution(*argument, false)};
    return {phase_of(parse_pattern(pattern_, bits()), std::string(pattern_), weight_)};
  }

 private:
  void require_known(std::string_view name) const {
    const auto patterns = pattern_names();
    std::vector<std::string_view> known{"cube", "block-cyclic-to-block", "block-to-block-cyclic"};
    known.insert(known.end(), patterns.begin(), patterns.end());
    if (std::find(known.begin(), known.end(), name) != known.end()) return;
    throw UnknownPhase(fmt::format("phase '{}': {}", text_, unknown_name("name", name, known)));
  }

  [[noreturn]] void fail(const std::string& rule) const {
    throw std::invalid_argument(fmt::format("phase '{}': {}", text_, rule));
  }

  template <typename Number>
  Number number(std::string_view digits) const {
    Number value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size())
      fail(fmt::format("'{}' is not a number", digits));
    return value;
  }

  double weight(std::string_view digits) const {
    const auto value = number<double>(digits);
    if (!is_amount(value)) fail(fmt::format("weight {} is {}", digits, no_amount));
    return value;
  }

  int bits() const {
    if (!std::has_single_bit(rank_count_)) fail(fmt::format("{} ranks are no power of two", rank_count_));
    return std::countr_zero(rank_count_);
  }

  std::vector<Phase> cube(std::optional<std::string_view> argument) const {
    int first = 0;
    int last = bits() - 1;
    if (argument) {
      const auto dash = argument->find('-');
      first = number<int>(argument->substr(0, dash));
      last = dash == std::string_view::npos ? first : number<int>(argument->substr(dash + 1));
      if (last < first) fail(fmt::format("dimension {} comes before {}", last, first));
    }
    if (argument && bits() == 0) fail("a single rank has no dimensions");
    if (first < 0 || last >= bits())
      fail(fmt::format("dimensions {} to {} are not in 0 .. {}", first, last, bits() - 1));
    std::vector<Phase> phases;
    for (int i = first; i <= last; ++i) phases.push_back(dimension(i));
    return phases;
  }

  Phase dimension(int i) const {
    Phase phase{fmt::format("cube:{}", i), weight_, {}};
    for (std::uint32_t r = 0; r < rank_count_; ++r) {
      phase.traffic.push_back({static_cast<Rank>(r), neighbour(static_cast<Rank>(r), i)});
    }
    return phase;
  }

  /// Returns whether parse_pattern() reads `transpose` as a square of ranks.
  bool has_square_of_bits() const {
    return std::has_single_bit(rank_count_) && std::countr_zero(rank_count_) % 2 == 0;
  }

  Phase transpose_of_default_shape() const {
    const auto side = static_cast<std::size_t>(std::sqrt(static_cast<double>(rank_count_)));
    if (side * side == rank_count_) return transpose(fmt::format("{}x{}", side, side));
    if (grid_ != nullptr && grid_->axis_count() == 2 && grid_->node_count() == rank_count_) {
      return transpose(fmt::format("{}x{}", grid_->axes()[0].extent, grid_->axes()[1].extent));
    }
    fail(fmt::format("{} ranks make no square; say transpose:ROWSxCOLUMNS", rank_count_));
  }

  Phase transpose(std::string_view shape) const {
    const auto by = shape.find('x');
    if (by == std::string_view::npos) fail(fmt::format("'{}' is not ROWSxCOLUMNS", shape));
    const auto rows = number<std::uint32_t>(shape.substr(0, by));
    const auto columns = number<std::uint32_t>(shape.substr(by + 1));
    if (std::uint64_t{rows} * columns != rank_count_) {
      fail(fmt::format("{} x {} are {} ranks, not {}", rows, columns, std::uint64_t{rows} * columns,
                       rank_count_));
    }
    Phase phase{fmt::format("transpose:{}", shape), weight_, {}};
    for (std::uint32_t i = 0; i < rows; ++i) {
      for (std::uint32_t j = 0; j < columns; ++j) {
        const Traffic sent{static_cast<Rank>(i * columns + j), static_cast<Rank>(j * rows + i)};
        if (sent.from != sent.to) phase.traffic.push_back(sent);
      }
    }
    return phase;
  }

  /// Returns the redistribution between the block-cyclic and the block distribution of 2^(n+2s) points on 2^n ranks. In
  /// the block-cyclic one, the label of a point has s bits for its place in a block, then n bits for its rank, then s
  /// bits for its block. In the block one, the upper n bits are its rank. So n - s rank bits (none if s is larger) move
  /// down by s, and the other bits of the destination take all values.
  Phase redistribution(std::string_view block_bits, bool to_block) const {
    const int n = bits();
    const auto s = number<int>(block_bits);
    if (s < 0) fail(fmt::format("{} bits of a block are not from 0", s));
    const int kept = std::max(n - s, 0);
    const std::uint32_t free_count = std::uint32_t{1} << (n - kept);
    Phase phase{std::string(pattern_), weight_, {}};
    for (std::uint32_t r = 0; r < rank_count_; ++r) {
      for (std::uint32_t upper = 0; upper < free_count; ++upper) {
        auto from = static_cast<Rank>(r);
        auto to = static_cast<Rank>((kept == 0 ? 0 : r >> s) | (upper << kept));
        if (!to_block) std::swap(from, to);
        if (from != to) phase.traffic.push_back({from, to, 1.0 / free_count});
      }
    }
    return phase;
  }

  std::string_view text_;
  std::size_t rank_count_;
  const Grid* grid_;
  std::string_view pattern_;
  double weight_ = 1;
};

template <typename Use>
void for_each_phase(std::string_view text, Use use) {
  for (;;) {
    const auto end = text.find('+');
    use(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::vector<Phase> parse_phase(std::string_view text, std::size_t rank_count, const Grid* grid) {
  return PhaseReader(text, rank_count, grid).read();
}

std::vector<Phase> parse_phases(std::string_view text, std::size_t rank_count, const Grid* grid) {
  std::vector<Phase> phases;
  for_each_phase(text, [&](std::string_view part) {
    for (Phase& phase : parse_phase(part, rank_count, grid)) phases.push_back(std::move(phase));
  });
  return phases;
}

void require_phase_names(std::string_view text) {
  for_each_phase(text, [](std::string_view part) { PhaseReader(part, 0, nullptr); });
}

Phase phase_of(const Lcc& lcc, std::string name, double weight) {
  Phase phase{std::move(name), weight, {}};
  for (const auto& [source, destination] : messages(lcc)) {
    if (source != destination) phase.traffic.push_back({source, destination});
  }
  return phase;
}

}  // namespace cubefold
