#include "closed_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

namespace cubefold::closed_form {

namespace {

/// Returns 2^exponent, or 0 for a negative exponent, which stands for the halves that axes of one bit do not have.
std::uint64_t power(int exponent) {
  // Exponents are numbers of rank bits. NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult)
  return exponent < 0 ? 0 : std::uint64_t{1} << exponent;
}

/// Describes an axis of 2^bits nodes.
struct AxisForm {
  int bits;
  bool is_ring;
  bool is_xor;
};

bool has_form(Embedding embedding) {
  switch (embedding) {
    case Embedding::identity:
    case Embedding::standard:
    case Embedding::xor_:
      return true;
    case Embedding::by_weight:
    case Embedding::gray:
      return false;
  }
  return false;
}

bool has_form(const Placement& placement, int axis) {
  return placement.rule().nodes.empty() && has_form(embedding_on(placement.rule(), axis));
}

AxisForm form_of(const Placement& placement, int axis) {
  const auto embedding = embedding_on(placement.rule(), axis);
  if (!has_form(placement, axis)) {
    throw std::invalid_argument(fmt::format("closed_form: placement '{}' is not standard or xor on axis {}",
                                            to_string(placement.rule()), axis));
  }
  const int bits = std::countr_zero(placement.grid().extent(axis));
  return {bits, placement.grid().has_wrap_link(axis), embedding == Embedding::xor_ && bits > 1};
}

std::vector<AxisForm> forms_of(const Placement& placement) {
  std::vector<AxisForm> forms;
  forms.reserve(static_cast<std::size_t>(placement.grid().axis_count()));
  for (int axis = 0; axis < placement.grid().axis_count(); ++axis) forms.push_back(form_of(placement, axis));
  return forms;
}

/// Describes a rank bit on its axis.
struct BitForm {
  AxisForm axis;
  int position;

  bool is_top() const { return position == axis.bits - 1; }
  bool varies() const { return is_top() && axis.is_xor && !axis.is_ring; }
  std::uint64_t distance() const {
    return is_top() && axis.is_xor && axis.is_ring ? power(position - 1) : power(position);
  }
};

std::vector<BitForm> bits_of(const Placement& placement) {
  const auto axes = forms_of(placement);
  std::vector<BitForm> bits;
  for (const auto& [axis, position] : bit_places(placement.grid(), placement.rule())) {
    bits.push_back({axes[static_cast<std::size_t>(axis)], position});
  }
  return bits;
}

std::uint64_t line_link(int bits) {
  return (power(bits + 1) - 1) / 3;
}

std::uint64_t on_tie(int bits, Tie tie) {
  return power(tie == Tie::balanced ? bits - 2 : bits - 1);
}

std::uint64_t busiest_of(const AxisForm& axis, Tie tie) {
  if (!axis.is_ring) return line_link(axis.bits);
  if (axis.is_xor) return 5 * power(axis.bits) / 12;
  return line_link(axis.bits - 1) + on_tie(axis.bits, tie);
}

}  // namespace

bool applies_to(const Placement& placement) {
  const auto& axes = placement.grid().axes();
  for (int axis = 0; axis < placement.grid().axis_count(); ++axis) {
    if (!has_form(placement, axis) || !std::has_single_bit(axes[static_cast<std::size_t>(axis)].extent))
      return false;
  }
  return true;
}

DilationSpectrum dilation_spectrum(const Placement& placement) {
  DilationSpectrum spectrum;
  const auto link_count = placement.rank_count() / 2;
  for (const BitForm& bit : bits_of(placement)) {
    const auto distance = static_cast<std::uint32_t>(bit.distance());
    if (bit.varies()) {
      spectrum[distance / 2] += link_count / 2;
      spectrum[distance / 2 * 3] += link_count / 2;
    } else {
      spectrum[distance] += link_count;
    }
  }
  return spectrum;
}

std::vector<std::optional<std::uint32_t>> constant_distances(const Placement& placement) {
  std::vector<std::optional<std::uint32_t>> distances;
  for (const BitForm& bit : bits_of(placement)) {
    distances.emplace_back();
    if (!bit.varies()) distances.back() = static_cast<std::uint32_t>(bit.distance());
  }
  return distances;
}

std::uint64_t busiest_link(const Placement& placement, int dimension, Tie tie) {
  const auto bits = bits_of(placement);
  if (dimension < 0 || dimension >= static_cast<int>(bits.size())) {
    throw std::invalid_argument(fmt::format("closed_form::busiest_link: dimension {} is not in 0 .. {}",
                                            dimension, static_cast<int>(bits.size()) - 1));
  }
  const BitForm& bit = bits[static_cast<std::size_t>(dimension)];
  const bool has_tie = bit.is_top() && bit.axis.is_ring && !bit.axis.is_xor;
  return has_tie ? on_tie(bit.axis.bits, tie) : bit.distance();
}

std::uint64_t busiest_link(const Placement& placement, Tie tie) {
  bits_of(placement);  // throws for a placement without a closed form
  std::uint64_t most = 0;
  for (const AxisForm& axis : forms_of(placement)) most = std::max(most, busiest_of(axis, tie));
  return most;
}

std::uint64_t busiest_link_of_shift(const Grid& grid, std::uint64_t offset, Tie tie) {
  offset %= grid.node_count();
  std::uint64_t busiest = 0;
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    const std::uint64_t extent = grid.extent(axis);
    const std::uint64_t digit = offset / grid.stride(axis) % extent;
    const bool carries = offset % grid.stride(axis) != 0;
    for (const std::uint64_t steps : {digit, carries ? (digit + 1) % extent : digit}) {
      const bool has_tie = grid.has_wrap_link(axis) && 2 * steps == extent;
      const std::uint64_t load = std::min(steps, extent - steps);
      busiest = std::max(busiest, has_tie && tie == Tie::balanced ? (load + 1) / 2 : load);
    }
  }
  return busiest;
}

std::optional<double> cc_cube_seconds(const Placement& placement, const StageCosts& costs) {
  double seconds = 0;
  for (const auto& distance : closed_form::constant_distances(placement)) {
    if (!distance) return std::nullopt;
    seconds += *distance * costs.hop_seconds + costs.compute_seconds;
  }
  return seconds;
}

}  // namespace cubefold::closed_form
