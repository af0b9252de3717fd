#include "task_pieces.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace cubefold {

std::uint32_t end_of(const std::vector<Piece>& pieces) {
  if (pieces.empty()) return 0;
  return pieces.back().begin +
         std::visit([](const auto& steps) { return steps.step_count(); }, pieces.back().steps);
}

namespace {

using LayersByAxis = std::vector<std::vector<Layer>>;

void append(std::vector<Piece>& pieces, std::variant<TaskRound, TurnTable> steps) {
  pieces.push_back({end_of(pieces), std::move(steps)});
}

/// Layers for one round after the other, from the longest distances down; one layer an axis in each.
std::vector<std::vector<Layer>> rounds_of(const LayersByAxis& axes) {
  std::vector<std::vector<Layer>> rounds;
  for (const auto& layers : axes) {
    for (std::size_t place = 0; place < layers.size(); ++place) {
      if (place == rounds.size()) rounds.emplace_back();
      rounds[place].push_back(layers[place]);
    }
  }
  return rounds;
}

/// The layers of the rounds from `first` on, axis by axis and the highest of an axis first.
std::vector<Layer> layers_from(const std::vector<std::vector<Layer>>& rounds, std::size_t first) {
  std::vector<Layer> layers;
  for (std::size_t round = first; round < rounds.size(); ++round) {
    layers.insert(layers.end(), rounds[round].begin(), rounds[round].end());
  }
  std::stable_sort(layers.begin(), layers.end(),
                   [](const Layer& a, const Layer& b) { return a.axis < b.axis; });
  return layers;
}

/// What no table of these layers goes below: layers of an axis take their links, and all turns of a node its port, one
/// after the other.
std::uint32_t least_steps(const std::vector<Layer>& layers) {
  std::uint32_t turns = 0;
  std::uint32_t on_axis = 0;
  std::uint32_t most_on_axis = 0;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    turns += layers[i].turn_count();
    const bool same_axis = i > 0 && layers[i].axis == layers[i - 1].axis;
    on_axis = layers[i].link_steps() + (same_axis ? on_axis : 0);
    most_on_axis = std::max(most_on_axis, on_axis);
  }
  return std::max(turns, most_on_axis);
}

/// The first `round_count` rounds, each by its formula: [Calmant] 4.2.
std::vector<Piece> pieces_of(const std::vector<std::vector<Layer>>& rounds, std::size_t round_count) {
  std::vector<Piece> pieces;
  for (std::size_t round = 0; round < round_count; ++round) append(pieces, TaskRound(rounds[round]));
  return pieces;
}

/// The rounds of shortest distances leave links or ports idle. Together they need not: as few of them as will do are
/// searched for a common table, so that with the rounds before them `step_count` steps are enough.
std::optional<TaskPieces> with_last_rounds_together(const std::vector<std::vector<Layer>>& rounds,
                                                    std::uint32_t step_count) {
  for (std::size_t kept = rounds.size(); kept-- > 0;) {
    auto pieces = pieces_of(rounds, kept);
    const auto layers = layers_from(rounds, kept);
    if (end_of(pieces) + least_steps(layers) > step_count) continue;
    if (auto table = TurnTable::search(layers, step_count - end_of(pieces))) {
      append(pieces, std::move(*table));
      return TaskPieces{std::move(pieces), TaskMethod::search};
    }
  }
  return std::nullopt;
}

/// Tries the bound, one step more, and then twice as many more each time, below what the formulas take.
TaskPieces find_one_port(const LayersByAxis& axes, std::uint32_t bound) {
  const auto rounds = rounds_of(axes);
  TaskPieces by_rounds{pieces_of(rounds, rounds.size()), TaskMethod::closed_form};
  const auto most = end_of(by_rounds.pieces);
  for (std::uint32_t more = 0; bound + more < most; more = std::max(1U, 2 * more)) {
    if (auto found = with_last_rounds_together(rounds, bound + more)) return std::move(*found);
  }
  return by_rounds;
}

}  // namespace

TaskPieces find_pieces(const LayersByAxis& axes, Ports ports, std::uint32_t bound) {
  if (ports == Ports::one) return find_one_port(axes, bound);
  TaskPieces found{{}, TaskMethod::closed_form};
  append(found.pieces, TurnTable::sequential(layers_from(rounds_of(axes), 0), ports));
  return found;
}

}  // namespace cubefold
