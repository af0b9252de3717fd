#include "cubefold/plan/phase.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "cubefold/lcc/pattern.hpp"
#include "phase_text.hpp"
#include "program_phases.hpp"
#include "text/known_names.hpp"

namespace cubefold {

namespace {

/// The largest number of messages of a halo exchange or an all-to-all. `cubefold verify` refuses more.
constexpr double most_messages = std::uint64_t{1} << 25;

/// Builds the phases that a text names.
class PhaseReader {
 public:
  PhaseReader(std::string_view text, std::size_t rank_count, const Grid* grid)
      : text_(text), rank_count_(rank_count), grid_(grid) {
    require_known(text);
  }

  std::vector<Phase> read() const {
    const auto name = text_.name();
    const auto argument = text_.argument();
    if (name == "halo") return {halo()};
    if (name == "alltoall") return {all_to_all()};
    if (name == "ring") return {ring()};
    if (name == "allreduce") return allreduce();
    if (name == "cube") return cube();
    if (name == "reduce-scatter" || name == "allgather") return halves(name == "allgather");
    if (name == "transpose" && argument) return {transpose(*argument)};
    if (name == "transpose" && !has_square_of_bits()) return {transpose_of_default_shape()};
    if (name == "block-cyclic-to-block" && argument) return {redistribution(*argument, true)};
    if (name == "block-to-block-cyclic" && argument) return {redistribution(*argument, false)};
    return {phase_of(parse_pattern(text_.pattern(), bits()), text_.pattern(), text_.weight())};
  }

 private:
  void require_known(std::string_view text) const {
    const auto patterns = pattern_names();
    std::vector<std::string_view> known{"cube",
                                        "halo",
                                        "alltoall",
                                        "ring",
                                        "allreduce",
                                        "reduce-scatter",
                                        "allgather",
                                        "block-cyclic-to-block",
                                        "block-to-block-cyclic"};
    known.insert(known.end(), patterns.begin(), patterns.end());
    if (std::find(known.begin(), known.end(), text_.name()) != known.end()) return;
    throw UnknownPhase(fmt::format("phase '{}': {}", text, unknown_name("name", text_.name(), known)));
  }

  std::uint32_t rank_count() const { return static_cast<std::uint32_t>(rank_count_); }

  int bits() const {
    if (!std::has_single_bit(rank_count_)) fail(fmt::format("{} ranks are no power of two", rank_count_));
    return std::countr_zero(rank_count_);
  }

  std::vector<Phase> cube() const {
    const auto [first, end] = text_.range(bits(), "dimension");
    std::vector<Phase> phases;
    for (int i = first; i < end; ++i) phases.push_back(dimension(i, i, 1));
    return phases;
  }

  /// Returns the steps in which ranks send half of what they have left (reduce-scatter), or all that they have so far
  /// (allgather).
  std::vector<Phase> halves(bool gathers) const {
    if (!std::has_single_bit(rank_count_))
      fail(fmt::format("{} ranks are no power of two; say ring*{}", rank_count_, rank_count_ - 1));
    const auto [first, end] = text_.range(bits(), "step");
    std::vector<Phase> phases;
    for (int step = first; step < end; ++step) {
      const int bit = gathers ? step : bits() - 1 - step;
      phases.push_back(dimension(step, bit, std::ldexp(1.0, bit - bits())));
    }
    return phases;
  }

  /// Returns the part with this number, in which ranks whose labels differ in a bit send each other so many messages.
  Phase dimension(int part, int bit, double messages) const {
    Phase phase{text_.name_of_part(part), text_.weight(), {}};
    for (std::uint32_t r = 0; r < rank_count_; ++r) {
      phase.traffic.push_back({static_cast<Rank>(r), neighbour(static_cast<Rank>(r), bit), messages});
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
    const auto [rows, columns] = text_.rows_and_columns(shape, rank_count_);
    Phase phase{fmt::format("transpose:{}", shape), text_.weight(), {}};
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
    const auto s = text_.number(block_bits);
    const int kept = s < static_cast<std::uint32_t>(n) ? n - static_cast<int>(s) : 0;
    const std::uint32_t free_count = std::uint32_t{1} << (n - kept);
    Phase phase{text_.pattern(), text_.weight(), {}};
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

  void require_few(double messages) const {
    if (messages > most_messages)
      fail(fmt::format("{:.0f} messages are more than {:.0f}", messages, most_messages));
  }

  Phase phase_with(std::vector<Traffic> traffic) const {
    return {text_.pattern(), text_.weight(), std::move(traffic)};
  }

  Phase halo() const {
    const auto argument = text_.argument();
    if (!argument) fail("say halo:SHAPE, as in halo:12x10, or halo:12wx10 if the first axis is periodic");
    const auto colon = argument->find(':');
    const bool has_stencil = colon != std::string_view::npos;
    const auto stencil = has_stencil ? stencil_named(argument->substr(colon + 1)) : Stencil::faces;
    const auto axes = text_.axes(argument->substr(0, colon), rank_count_);
    require_few(static_cast<double>(rank_count_) * neighbour_count(axes.size(), stencil));
    return phase_with(halo_exchange(axes, stencil));
  }

  Stencil stencil_named(std::string_view name) const {
    if (name == "full") return Stencil::full;
    if (name == "edges") return Stencil::edges;
    if (name == "faces") return Stencil::faces;
    fail(unknown_name("stencil", name, {"faces", "edges", "full"}));
  }

  Phase all_to_all() const {
    const auto argument = text_.argument();
    if (!argument) return all_to_all_in_groups_of(rank_count(), 1);
    const auto equals = argument->find('=');
    const auto groups = argument->substr(0, equals);
    if (equals == std::string_view::npos || (groups != "rows" && groups != "columns"))
      fail(fmt::format("'{}' is neither rows=ROWSxCOLUMNS nor columns=ROWSxCOLUMNS", *argument));
    const auto [rows, columns] = text_.rows_and_columns(argument->substr(equals + 1), rank_count_);
    return groups == "rows" ? all_to_all_in_groups_of(columns, 1) : all_to_all_in_groups_of(rows, columns);
  }

  Phase all_to_all_in_groups_of(std::uint32_t group_size, std::uint32_t stride) const {
    require_few(static_cast<double>(rank_count_) * (group_size - 1.0));
    return phase_with(all_to_all_in_groups(rank_count(), group_size, stride));
  }

  Phase ring() const {
    text_.require_no_argument("halo:12w is a ring of 12 that sends both ways");
    return phase_with(ring_step(rank_count()));
  }

  std::vector<Phase> allreduce() const {
    auto steps = recursive_doubling(rank_count());
    const auto [first, end] = text_.range(static_cast<int>(steps.size()), "step");
    std::vector<Phase> phases;
    for (int i = first; i < end; ++i) {
      auto& traffic = steps[static_cast<std::size_t>(i)];
      phases.push_back({text_.name_of_part(i), text_.weight(), std::move(traffic)});
    }
    return phases;
  }

  [[noreturn]] void fail(const std::string& rule) const { text_.fail(rule); }

  PhaseText text_;
  std::size_t rank_count_;
  const Grid* grid_;
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
