#include "layer.hpp"

#include <algorithm>
#include <bit>

namespace cubefold {

std::uint32_t Layer::link_steps() const {
  switch (kind) {
    case LayerKind::pair:
      return 2 * residue_count();
    case LayerKind::ring_tie:
      return alternates ? residue_count() / 2 : residue_count();
    case LayerKind::single:
    case LayerKind::ring_pair:
      break;
  }
  return residue_count();
}

// A pair: [Calmant] fig. 3. A ring pair: turn 0 is the way up, turn 1 the way down; from quarters 0 and 2 of the ring the
// lower dimension leads up, from 1 and 3 the higher one.
std::uint32_t Layer::turn_of(int sent_dimension, std::uint32_t coordinate) const {
  const bool is_higher = sent_dimension == dimension;
  const std::uint32_t low_bit = (coordinate >> position) & 1;
  const std::uint32_t high_bit = (coordinate >> (position + 1)) & 1;
  switch (kind) {
    case LayerKind::pair:
      return (low_bit == high_bit) == is_higher ? 0 : 1;
    case LayerKind::ring_pair:
      return (low_bit == 1) == is_higher ? 0 : 1;
    case LayerKind::single:
    case LayerKind::ring_tie:
      break;
  }
  return 0;
}

namespace {

struct PlacedDimension {
  int dimension;
  int position;
};

/// An axis as far as it matters for distances.
struct AxisRule {
  int axis;
  int bit_count;
  bool wraps;
  bool is_xor;
  bool alternates;
};

std::optional<AxisRule> rule_of(const Placement& placement, int axis, Tie tie) {
  const int bit_count = std::countr_zero(placement.grid().extent(axis));
  const bool wraps = placement.grid().has_wrap_link(axis);
  const AxisRule standard{axis, bit_count, wraps, false, tie == Tie::balanced};
  if (bit_count <= 1) return standard;
  switch (embedding_on(placement.rule(), axis)) {
    case Embedding::identity:
    case Embedding::standard:
      return standard;
    case Embedding::xor_:
      return AxisRule{axis, bit_count, wraps, true, standard.alternates};
    case Embedding::by_weight:
    case Embedding::gray:
      break;
  }
  return std::nullopt;
}

/// What of the axis's dimensions, highest first, goes half or a quarter of the way round it, if any.
std::optional<Layer> top_layer(const AxisRule& rule, const std::vector<PlacedDimension>& dimensions) {
  if (dimensions.empty() || dimensions[0].position != rule.bit_count - 1 || rule.bit_count < 2)
    return std::nullopt;
  const int top = dimensions[0].dimension;
  if (!rule.is_xor) {
    if (!rule.wraps) return std::nullopt;
    return Layer{rule.axis, LayerKind::ring_tie, rule.bit_count - 1, top, -1, rule.alternates};
  }
  if (dimensions.size() > 1 && dimensions[1].position == rule.bit_count - 2) {
    return Layer{rule.axis, LayerKind::ring_pair, rule.bit_count - 2, top, dimensions[1].dimension, false};
  }
  return Layer{rule.axis, LayerKind::single, rule.bit_count - 2, top, -1, false};
}

bool is_open_xor_top(const AxisRule& rule, const std::vector<PlacedDimension>& dimensions) {
  return rule.is_xor && !rule.wraps && !dimensions.empty() && dimensions[0].position == rule.bit_count - 1;
}

std::vector<Layer> layers_of_axis(const AxisRule& rule, const std::vector<PlacedDimension>& dimensions) {
  std::vector<Layer> layers;
  std::size_t next = 0;
  if (const auto top = top_layer(rule, dimensions)) {
    layers.push_back(*top);
    next = top->turn_count();
  }
  while (next < dimensions.size()) {
    const auto [dimension, position] = dimensions[next++];
    if (next < dimensions.size() && dimensions[next].position == position - 1) {
      const int lower = dimensions[next++].dimension;
      layers.push_back({rule.axis, LayerKind::pair, position - 1, dimension, lower, false});
    } else {
      layers.push_back({rule.axis, LayerKind::single, position, dimension, -1, false});
    }
  }
  return layers;
}

}  // namespace

std::optional<std::vector<std::vector<Layer>>> layers_of(const Placement& placement, Task task, Tie tie) {
  if (!placement.rule().nodes.empty()) return std::nullopt;
  const auto places = bit_places(placement.grid(), placement.rule());
  std::vector<std::vector<Layer>> layers;
  for (int axis = 0; axis < placement.grid().axis_count(); ++axis) {
    std::vector<PlacedDimension> dimensions;
    for (int k = task.first; k < task.first + task.count; ++k) {
      const auto& place = places[static_cast<std::size_t>(k)];
      if (place.axis == axis) dimensions.push_back({k, place.position});
    }
    std::sort(dimensions.begin(), dimensions.end(),
              [](const auto& a, const auto& b) { return a.position > b.position; });
    const auto rule = rule_of(placement, axis, tie);
    if (!dimensions.empty() && (!rule || is_open_xor_top(*rule, dimensions))) return std::nullopt;
    layers.push_back(rule ? layers_of_axis(*rule, dimensions) : std::vector<Layer>{});
  }
  return layers;
}

}  // namespace cubefold
