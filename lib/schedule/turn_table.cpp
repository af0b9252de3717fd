#include "turn_table.hpp"

#include <algorithm>

namespace cubefold {

namespace {

constexpr std::size_t branch_limit = 2000;
constexpr int most_detail = 2;

/// Small tables are settled soon or never; tables of much detail take long, and rarely a second start.
TabuLimits tabu_limits(std::size_t entry_count, int detail) {
  return {detail < most_detail ? 8U : 2U, std::min<std::size_t>(64 * entry_count, 8000)};
}

/// Nodes that a search looks at to see what meets, at most, and entries that its table has.
constexpr std::size_t node_limit = 4096;
constexpr std::size_t entry_limit = 2048;

}  // namespace

TurnTable::TurnTable(std::vector<Layer> layers, int detail) : layers_(std::move(layers)), detail_(detail) {
  for (const Layer& layer : layers_) {
    if (axes_.empty() || axes_.back().axis != layer.axis) axes_.push_back({layer.axis, layer.position});
  }
  std::size_t begin = 0;
  for (const Layer& layer : layers_) {
    begins_.push_back(begin);
    int low_bits = 0;
    for (const auto& [axis, bits] : axes_) {
      low_bits += std::min(detail_, axis == layer.axis ? layer.position : bits);
    }
    begin += (std::size_t{layer.residue_count()} << low_bits) * layer.turn_count();
  }
  steps_.resize(begin);
}

std::size_t TurnTable::index_of(std::size_t layer, std::uint32_t turn,
                                std::span<const std::uint32_t> coordinates) const {
  const Layer& own = layers_[layer];
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
  return begins_[layer] + ((residue << low_bits) | low) * own.turn_count() + turn;
}

/// Gives a layer steps of its own from `begin` on; returns the next free one.
std::uint32_t TurnTable::fill(std::size_t layer, std::uint32_t begin, Ports ports) {
  const Layer& own = layers_[layer];
  const auto count = own.residue_count();
  // Up and down on a ring pass each other, but a node with one port takes them in two steps.
  const auto ring_steps = ports == Ports::one ? std::max(count, 2U) : count;
  for (std::uint32_t r = 0; r < count; ++r) {
    for (std::uint32_t turn = 0; turn < own.turn_count(); ++turn) {
      std::uint32_t step = r * own.turn_count() + turn;
      if (own.kind == LayerKind::ring_pair) step = ports == Ports::one ? (r + turn) % ring_steps : r;
      if (own.alternates) step = r / 2;
      steps_[begins_[layer] + std::size_t{r} * own.turn_count() + turn] = begin + step;
    }
  }
  return begin + (own.kind == LayerKind::ring_pair ? ring_steps : own.link_steps());
}

TurnTable TurnTable::sequential(std::vector<Layer> layers, Ports ports) {
  TurnTable table(std::move(layers), 0);
  std::uint32_t begin = 0;
  for (std::size_t i = 0; i < table.layers_.size(); ++i) {
    const bool next_axis = i > 0 && table.layers_[i].axis != table.layers_[i - 1].axis;
    if (next_axis && ports == Ports::all) begin = 0;
    begin = table.fill(i, begin, ports);
    table.step_count_ = std::max(table.step_count_, begin);
  }
  return table;
}

namespace {

/// A turn at some coordinate of a line: its entry in the table, and what decides whether it meets another.
struct LineTurn {
  std::uint32_t entry;
  std::size_t layer;
  std::uint32_t residue;
  std::uint32_t turn;
};

/// Whether two turns use a link in the same direction, for all that residues tell.
bool share_a_link(const LineTurn& a, const LineTurn& b, const Layer& layer_of_a) {
  if (a.layer != b.layer) return true;
  if (layer_of_a.kind == LayerKind::ring_pair) return a.turn == b.turn;
  return !layer_of_a.alternates || a.residue % 2 == b.residue % 2;
}

void join(ConflictGraph& graph, std::uint32_t a, std::uint32_t b) {
  graph[a].push_back(b);
  graph[b].push_back(a);
}

}  // namespace

/// A node's port takes one of its turns at a time.
void TurnTable::add_node(ConflictGraph& graph, std::span<const std::uint32_t> coordinates) const {
  std::vector<std::uint32_t> here;
  for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
    for (std::uint32_t turn = 0; turn < layers_[layer].turn_count(); ++turn) {
      const auto entry = static_cast<std::uint32_t>(index_of(layer, turn, coordinates));
      for (const auto other : here) join(graph, other, entry);
      here.push_back(entry);
    }
  }
}

/// So does a link, of the turns of a line.
void TurnTable::add_line(ConflictGraph& graph, std::size_t table_axis,
                         std::vector<std::uint32_t> coordinates) const {
  std::vector<LineTurn> turns;
  const auto axis = static_cast<std::size_t>(axes_[table_axis].axis);
  for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
    if (layers_[layer].axis != axes_[table_axis].axis) continue;
    for (std::uint32_t r = 0; r < layers_[layer].residue_count(); ++r) {
      coordinates[axis] = r;
      for (std::uint32_t turn = 0; turn < layers_[layer].turn_count(); ++turn) {
        const auto entry = static_cast<std::uint32_t>(index_of(layer, turn, coordinates));
        turns.push_back({entry, layer, r, turn});
      }
    }
  }
  for (std::size_t a = 0; a < turns.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (share_a_link(turns[a], turns[b], layers_[turns[a].layer]))
        join(graph, turns[a].entry, turns[b].entry);
    }
  }
}

/// Calls visit(coordinates) for a node of each class.
template <typename Visit>
void TurnTable::for_each_class(Visit visit) const {
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

std::vector<std::uint32_t> TurnTable::steps_of(std::size_t layer) const {
  const auto turn_count = layers_[layer].turn_count();
  // Without detail the sum of the coordinates alone is the class, and has every value.
  const auto begin = steps_.begin() + static_cast<std::ptrdiff_t>(begins_[layer]);
  if (detail_ == 0) return {begin, begin + layers_[layer].residue_count() * turn_count};
  std::vector<std::uint32_t> steps;
  for_each_class([&](const auto& coordinates) {
    for (std::uint32_t turn = 0; turn < turn_count; ++turn)
      steps.push_back(step_of(layer, turn, coordinates));
  });
  return steps;
}

ConflictGraph TurnTable::conflict_graph() const {
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

std::optional<TurnTable> TurnTable::search(const std::vector<Layer>& layers, std::uint32_t step_count) {
  for (int detail = 0; detail <= most_detail; ++detail) {
    TurnTable table(layers, detail);
    int node_bits = 0;
    for (const auto& axis : table.axes_) node_bits += axis.bit_count;
    if (table.steps_.size() > entry_limit || std::size_t{1} << node_bits > node_limit) return std::nullopt;
    const auto graph = table.conflict_graph();
    auto [steps, is_proven] = colour_exactly(graph, step_count, branch_limit);
    if (!steps && !is_proven) steps = colour_by_tabu(graph, step_count, tabu_limits(graph.size(), detail));
    if (!steps) continue;
    table.steps_ = std::move(*steps);
    table.step_count_ = step_count;
    return table;
  }
  return std::nullopt;
}

}  // namespace cubefold
