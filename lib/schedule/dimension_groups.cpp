#include "dimension_groups.hpp"

#include <algorithm>
#include <bit>

namespace cubefold {

std::uint32_t DimensionGroup::link_steps() const {
  switch (kind) {
    case GroupKind::pair:
      return 2 * residue_count();
    case GroupKind::ring_tie:
      return alternates ? residue_count() / 2 : residue_count();
    case GroupKind::single:
    case GroupKind::ring_pair:
      break;
  }
  return residue_count();
}

// Pairs follow [Calmant] fig. 3. In a ring pair, slot 0 is the way up and slot 1 the way down: from quarters 0 and 2 of
// the ring the lower dimension leads up, and from quarters 1 and 3 the higher one.
std::uint32_t DimensionGroup::slot_of(int sent_dimension, std::uint32_t coordinate) const {
  const bool is_higher = sent_dimension == dimension;
  const std::uint32_t low_bit = (coordinate >> position) & 1;
  const std::uint32_t high_bit = (coordinate >> (position + 1)) & 1;
  switch (kind) {
    case GroupKind::pair:
      return (low_bit == high_bit) == is_higher ? 0 : 1;
    case GroupKind::ring_pair:
      return (low_bit == 1) == is_higher ? 0 : 1;
    case GroupKind::single:
    case GroupKind::ring_tie:
      break;
  }
  return 0;
}

namespace {

struct PlacedDimension {
  int dimension;
  int position;
};

/// Describes an axis as far as it matters for distances.
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

/// Returns the group of the dimensions that go half or a quarter of the way round the axis, or nothing if there is
/// none. `dimensions` holds those of the axis, the highest first.
std::optional<DimensionGroup> top_group(const AxisRule& rule,
                                        const std::vector<PlacedDimension>& dimensions) {
  if (dimensions.empty() || dimensions[0].position != rule.bit_count - 1 || rule.bit_count < 2)
    return std::nullopt;
  const int top = dimensions[0].dimension;
  if (!rule.is_xor) {
    if (!rule.wraps) return std::nullopt;
    return DimensionGroup{rule.axis, GroupKind::ring_tie, rule.bit_count - 1, top, -1, rule.alternates};
  }
  if (dimensions.size() > 1 && dimensions[1].position == rule.bit_count - 2) {
    return DimensionGroup{rule.axis, GroupKind::ring_pair,    rule.bit_count - 2,
                          top,       dimensions[1].dimension, false};
  }
  return DimensionGroup{rule.axis, GroupKind::single, rule.bit_count - 2, top, -1, false};
}

bool is_open_xor_top(const AxisRule& rule, const std::vector<PlacedDimension>& dimensions) {
  return rule.is_xor && !rule.wraps && !dimensions.empty() && dimensions[0].position == rule.bit_count - 1;
}

std::vector<DimensionGroup> groups_of_axis(const AxisRule& rule,
                                           const std::vector<PlacedDimension>& dimensions) {
  std::vector<DimensionGroup> groups;
  std::size_t next = 0;
  if (const auto top = top_group(rule, dimensions)) {
    groups.push_back(*top);
    next = top->slot_count();
  }
  while (next < dimensions.size()) {
    const auto [dimension, position] = dimensions[next++];
    if (next < dimensions.size() && dimensions[next].position == position - 1) {
      const int lower = dimensions[next++].dimension;
      groups.push_back({rule.axis, GroupKind::pair, position - 1, dimension, lower, false});
    } else {
      groups.push_back({rule.axis, GroupKind::single, position, dimension, -1, false});
    }
  }
  return groups;
}

}  // namespace

std::optional<std::vector<std::vector<DimensionGroup>>> dimension_groups_of(const Placement& placement,
                                                                            Task task, Tie tie) {
  if (!placement.rule().nodes.empty()) return std::nullopt;
  const auto places = bit_places(placement.grid(), placement.rule());
  std::vector<std::vector<DimensionGroup>> groups;
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
    groups.push_back(rule ? groups_of_axis(*rule, dimensions) : std::vector<DimensionGroup>{});
  }
  return groups;
}

SlotFormula::SlotFormula(std::vector<DimensionGroup> groups) : groups_(std::move(groups)) {
  std::uint32_t slots = 0;
  for (const DimensionGroup& group : groups_) {
    first_slots_.push_back(slots);
    slots += group.slot_count();
    step_count_ = std::max(step_count_, group.link_steps());
  }
  step_count_ = std::max(step_count_, slots);
}

namespace {

std::uint32_t steps_before(const DimensionGroup& group, std::uint32_t residue) {
  if (group.alternates) return residue / 2;
  return group.kind == GroupKind::pair ? 2 * residue : residue;
}

}  // namespace

std::uint32_t SlotFormula::step_of(std::size_t group, std::uint32_t slot,
                                   std::span<const std::uint32_t> coordinates) const {
  std::uint32_t step = first_slots_[group] + slot;
  for (const DimensionGroup& l : groups_) {
    step += steps_before(l, coordinates[static_cast<std::size_t>(l.axis)] & (l.residue_count() - 1));
  }
  return step % step_count_;
}

// Residues of different axes are independent of one another and of the send slot. steps_before() of a residue is the
// sum over the residue's bits.
std::vector<std::uint32_t> SlotFormula::steps_of(std::size_t group) const {
  std::vector<bool> used(step_count_);
  for (std::uint32_t slot = 0; slot < groups_[group].slot_count(); ++slot)
    used[(first_slots_[group] + slot) % step_count_] = true;
  for (const DimensionGroup& l : groups_) {
    for (std::uint32_t bit = 1; bit < l.residue_count(); bit *= 2) {
      const auto without = used;
      for (std::uint32_t step = 0; step < step_count_; ++step) {
        if (without[step]) used[(step + steps_before(l, bit)) % step_count_] = true;
      }
    }
  }
  std::vector<std::uint32_t> steps;
  for (std::uint32_t step = 0; step < step_count_; ++step) {
    if (used[step]) steps.push_back(step);
  }
  return steps;
}

}  // namespace cubefold
