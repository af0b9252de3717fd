#include "slot_table.hpp"

#include <algorithm>

namespace cubefold {

namespace {

constexpr std::size_t branch_limit = 2000;
constexpr int most_detail = 2;

/// Returns the limits of a tabu search. Small tables are settled soon or never. Tables of much detail take long, and
/// rarely need a second start.
TabuLimits limits_for(std::size_t entry_count, int detail) {
  return {detail < most_detail ? 8U : 2U, std::min<std::size_t>(64 * entry_count, 8000)};
}

/// A search looks at no more than node_limit nodes to find conflicts, and its table has no more than entry_limit
/// entries.
constexpr std::size_t node_limit = 4096;
constexpr std::size_t entry_limit = 2048;

}  // namespace

SlotTable::SlotTable(std::vector<DimensionGroup> groups, int detail)
    : groups_(std::move(groups)), detail_(detail) {
  for (const DimensionGroup& group : groups_) {
    if (axes_.empty() || axes_.back().axis != group.axis) axes_.push_back({group.axis, group.position});
  }
  std::size_t begin = 0;
  for (const DimensionGroup& group : groups_) {
    begins_.push_back(begin);
    int low_bits = 0;
    for (const auto& [axis, bits] : axes_) {
      low_bits += std::min(detail_, axis == group.axis ? group.position : bits);
    }
    begin += (std::size_t{group.residue_count()} << low_bits) * group.slot_count();
  }
  steps_.resize(begin);
}

std::size_t SlotTable::index_of(std::size_t group, std::uint32_t slot,
                                std::span<const std::uint32_t> coordinates) const {
  const DimensionGroup& own = groups_[group];
  std::uint32_t sum = 0;
  std::size_t low = 0;
  int low_bits = 0;
  for (const auto& [axis, bits] : axes_) {
    const auto x = coordinates[static_cast<std::size_t>(axis)];
    const int kept = std::min(detail_, axis == own.axis ? own.position : bits);
    sum += x & ((std::uint32_t{1} << bits) - 1);
    low |= std::size_t{x & ((std::uint32_t{1} << kept) - 1)} << low_bits;
    low_bits += kept;
  }
  const auto residue = std::size_t{sum & (own.residue_count() - 1)};
  return begins_[group] + ((residue << low_bits) | low) * own.slot_count() + slot;
}

/// Gives a group steps of its own from `begin` on, and returns the next free step.
std::uint32_t SlotTable::fill(std::size_t group, std::uint32_t begin, Ports ports) {
  const DimensionGroup& own = groups_[group];
  const auto count = own.residue_count();
  // Messages up and down a ring pass each other, but a node with one port sends them in two steps.
  const auto ring_steps = ports == Ports::one ? std::max(count, 2U) : count;
  for (std::uint32_t r = 0; r < count; ++r) {
    for (std::uint32_t slot = 0; slot < own.slot_count(); ++slot) {
      std::uint32_t step = r * own.slot_count() + slot;
      if (own.kind == GroupKind::ring_pair) step = ports == Ports::one ? (r + slot) % ring_steps : r;
      if (own.alternates) step = r / 2;
      steps_[begins_[group] + std::size_t{r} * own.slot_count() + slot] = begin + step;
    }
  }
  return begin + (own.kind == GroupKind::ring_pair ? ring_steps : own.link_steps());
}

SlotTable SlotTable::sequential(std::vector<DimensionGroup> groups, Ports ports) {
  SlotTable table(std::move(groups), 0);
  std::uint32_t begin = 0;
  for (std::size_t i = 0; i < table.groups_.size(); ++i) {
    const bool next_axis = i > 0 && table.groups_[i].axis != table.groups_[i - 1].axis;
    if (next_axis && ports == Ports::all) begin = 0;
    begin = table.fill(i, begin, ports);
    table.step_count_ = std::max(table.step_count_, begin);
  }
  return table;
}

namespace {

/// Describes a send slot at some coordinate of a line: its entry in the table, and what decides whether it meets
/// another.
struct LineSlot {
  std::uint32_t entry;
  std::size_t group;
  std::uint32_t residue;
  std::uint32_t slot;
};

/// Returns whether two send slots use a link in the same direction, as far as residues tell.
bool share_a_link(const LineSlot& a, const LineSlot& b, const DimensionGroup& group_of_a) {
  if (a.group != b.group) return true;
  if (group_of_a.kind == GroupKind::ring_pair) return a.slot == b.slot;
  return !group_of_a.alternates || a.residue % 2 == b.residue % 2;
}

void join(ConflictGraph& graph, std::uint32_t a, std::uint32_t b) {
  graph[a].push_back(b);
  graph[b].push_back(a);
}

}  // namespace

/// Adds the conflicts of the send slots of a node: its port takes one of them at a time.
void SlotTable::add_node(ConflictGraph& graph, std::span<const std::uint32_t> coordinates) const {
  std::vector<std::uint32_t> here;
  for (std::size_t group = 0; group < groups_.size(); ++group) {
    for (std::uint32_t slot = 0; slot < groups_[group].slot_count(); ++slot) {
      const auto entry = static_cast<std::uint32_t>(index_of(group, slot, coordinates));
      for (const auto other : here) join(graph, other, entry);
      here.push_back(entry);
    }
  }
}

/// Adds the conflicts of the send slots of a line: each of its links takes one message at a time.
void SlotTable::add_line(ConflictGraph& graph, std::size_t table_axis,
                         std::vector<std::uint32_t> coordinates) const {
  std::vector<LineSlot> slots;
  const auto axis = static_cast<std::size_t>(axes_[table_axis].axis);
  for (std::size_t group = 0; group < groups_.size(); ++group) {
    if (groups_[group].axis != axes_[table_axis].axis) continue;
    for (std::uint32_t r = 0; r < groups_[group].residue_count(); ++r) {
      coordinates[axis] = r;
      for (std::uint32_t slot = 0; slot < groups_[group].slot_count(); ++slot) {
        const auto entry = static_cast<std::uint32_t>(index_of(group, slot, coordinates));
        slots.push_back({entry, group, r, slot});
      }
    }
  }
  for (std::size_t a = 0; a < slots.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (share_a_link(slots[a], slots[b], groups_[slots[a].group]))
        join(graph, slots[a].entry, slots[b].entry);
    }
  }
}

/// Calls visit(coordinates) for one node of each class.
template <typename Visit>
void SlotTable::for_each_class(Visit visit) const {
  std::size_t node_count = 1;
  for (const auto& [axis, bits] : axes_) node_count <<= bits;
  std::vector<std::uint32_t> coordinates(static_cast<std::size_t>(axes_.back().axis) + 1);
  for (std::size_t node = 0; node < node_count; ++node) {
    auto rest = node;
    for (const auto& [axis, bits] : axes_) {
      coordinates[static_cast<std::size_t>(axis)] = static_cast<std::uint32_t>(rest) & ((1U << bits) - 1);
      rest >>= bits;
    }
    visit(coordinates);
  }
}

std::vector<std::uint32_t> SlotTable::steps_of(std::size_t group) const {
  const auto slot_count = groups_[group].slot_count();
  // Without detail the sum of the coordinates alone is the class, and has every value.
  const auto begin = steps_.begin() + static_cast<std::ptrdiff_t>(begins_[group]);
  if (detail_ == 0) return {begin, begin + std::ptrdiff_t{groups_[group].residue_count()} * slot_count};
  std::vector<std::uint32_t> steps;
  for_each_class([&](const auto& coordinates) {
    for (std::uint32_t slot = 0; slot < slot_count; ++slot)
      steps.push_back(step_of(group, slot, coordinates));
  });
  return steps;
}

ConflictGraph SlotTable::conflict_graph() const {
  ConflictGraph graph(steps_.size());
  for_each_class([&](const auto& coordinates) {
    add_node(graph, coordinates);
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      if (coordinates[static_cast<std::size_t>(axes_[i].axis)] == 0) add_line(graph, i, coordinates);
    }
  });
  for (auto& others : graph) {
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
  }
  return graph;
}

std::optional<SlotTable> SlotTable::search(const std::vector<DimensionGroup>& groups,
                                           std::uint32_t step_count) {
  for (int detail = 0; detail <= most_detail; ++detail) {
    SlotTable table(groups, detail);
    int node_bits = 0;
    for (const auto& axis : table.axes_) node_bits += axis.bit_count;
    if (table.steps_.size() > entry_limit || std::size_t{1} << node_bits > node_limit) return std::nullopt;
    const auto graph = table.conflict_graph();
    auto [steps, is_proven] = colour_exactly(graph, step_count, branch_limit);
    if (!steps && !is_proven) steps = colour_by_tabu(graph, step_count, limits_for(graph.size(), detail));
    if (!steps) continue;
    table.steps_ = std::move(*steps);
    table.step_count_ = step_count;
    return table;
  }
  return std::nullopt;
}

}  // namespace cubefold
