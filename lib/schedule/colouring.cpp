#include "colouring.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <utility>

namespace cubefold {

namespace {

/// Counts the neighbours that have a colour, per vertex and colour.
class NeighbourColours {
 public:
  NeighbourColours(std::size_t vertex_count, std::uint32_t colour_count)
      : colour_count_(colour_count), counts_(vertex_count * colour_count) {}

  std::uint16_t& at(std::size_t vertex, std::uint32_t colour) {
    return counts_[vertex * colour_count_ + colour];
  }
  std::uint16_t at(std::size_t vertex, std::uint32_t colour) const {
    return counts_[vertex * colour_count_ + colour];
  }

 private:
  std::uint32_t colour_count_;
  std::vector<std::uint16_t> counts_;
};

constexpr std::uint32_t no_colour = std::numeric_limits<std::uint32_t>::max();

class BranchAndBound {
 public:
  BranchAndBound(const ConflictGraph& graph, std::uint32_t colour_count, std::size_t branches)
      : graph_(graph),
        colour_count_(colour_count),
        branches_left_(branches),
        colours_(graph.size(), no_colour),
        left_(graph.size(), colour_count),
        around_(graph.size(), colour_count) {}

  /// Colours the remaining vertices and returns whether that was possible. Colours that no vertex has yet are all
  /// alike, so only the first of them is tried.
  bool extend(std::uint32_t used_count) {
    const auto vertex = most_constrained();
    if (vertex == graph_.size()) return true;
    for (std::uint32_t colour = 0; colour < std::min(used_count + 1, colour_count_); ++colour) {
      if (around_.at(vertex, colour) != 0) continue;
      if (branches_left_ == 0) return false;
      --branches_left_;
      if (assign(vertex, colour) && extend(std::max(used_count, colour + 1))) return true;
      unassign(vertex);
    }
    return false;
  }

  bool has_branches_left() const { return branches_left_ > 0; }
  std::vector<std::uint32_t> colours() const { return colours_; }

 private:
  std::size_t most_constrained() const {
    std::size_t best = graph_.size();
    for (std::size_t v = 0; v < graph_.size(); ++v) {
      if (colours_[v] != no_colour) continue;
      if (best == graph_.size() || left_[v] < left_[best] ||
          (left_[v] == left_[best] && graph_[v].size() > graph_[best].size())) {
        best = v;
      }
    }
    return best;
  }

  /// Gives the vertex a colour and returns whether every neighbour still has a colour left.
  bool assign(std::size_t vertex, std::uint32_t colour) {
    colours_[vertex] = colour;
    bool all_have_colours = true;
    for (const auto other : graph_[vertex]) {
      if (around_.at(other, colour)++ == 0) --left_[other];
      if (colours_[other] == no_colour && left_[other] == 0) all_have_colours = false;
    }
    return all_have_colours;
  }

  void unassign(std::size_t vertex) {
    const auto colour = std::exchange(colours_[vertex], no_colour);
    for (const auto other : graph_[vertex]) {
      if (--around_.at(other, colour) == 0) ++left_[other];
    }
  }

  const ConflictGraph& graph_;
  std::uint32_t colour_count_;
  std::size_t branches_left_;
  std::vector<std::uint32_t> colours_;
  std::vector<std::uint32_t> left_;
  NeighbourColours around_;
};

class TabuSearch {
 public:
  TabuSearch(const ConflictGraph& graph, std::uint32_t colour_count, std::uint32_t seed)
      : graph_(graph),
        colour_count_(colour_count),
        random_(seed),
        colours_(graph.size()),
        around_(graph.size(), colour_count),
        forbidden_until_(graph.size() * colour_count) {
    for (auto& colour : colours_) colour = below(colour_count_);
    for (std::size_t v = 0; v < graph.size(); ++v) {
      for (const auto other : graph[v]) ++around_.at(v, colours_[other]);
    }
    for (std::size_t v = 0; v < graph.size(); ++v) conflicts_ += around_.at(v, colours_[v]);
    conflicts_ /= 2;
    fewest_ = conflicts_;
  }

  bool is_solved() const { return conflicts_ == 0; }
  std::vector<std::uint32_t> colours() const { return colours_; }

  void move(std::size_t now) {
    std::size_t in_conflict = 0;
    Change best{no_colour, 0, std::numeric_limits<int>::max()};
    std::uint32_t ties = 0;
    for (std::uint32_t v = 0; v < graph_.size(); ++v) {
      if (around_.at(v, colours_[v]) == 0) continue;
      ++in_conflict;
      for (std::uint32_t colour = 0; colour < colour_count_; ++colour) {
        const Change change{v, colour, around_.at(v, colour) - around_.at(v, colours_[v])};
        if (colour == colours_[v] || change.gain > best.gain || is_forbidden(change, now)) continue;
        ties = change.gain == best.gain ? ties + 1 : 1;
        if (below(ties) == 0) best = change;
        best.gain = change.gain;
      }
    }
    if (best.vertex != no_colour) apply(best, now + in_conflict * 3 / 5 + below(10));
  }

 private:
  /// Describes a change of one vertex's colour. `gain` is the number of conflicts that it adds.
  struct Change {
    std::uint32_t vertex;
    std::uint32_t colour;
    int gain;
  };

  // This does not use std::uniform_int_distribution, whose results differ from library to library.
  std::uint32_t below(std::uint32_t limit) { return static_cast<std::uint32_t>(random_() % limit); }

  std::size_t& forbidden_until(std::uint32_t vertex, std::uint32_t colour) {
    return forbidden_until_[std::size_t{vertex} * colour_count_ + colour];
  }

  bool is_forbidden(const Change& change, std::size_t now) {
    return forbidden_until(change.vertex, change.colour) > now && conflicts_ + change.gain >= fewest_;
  }

  void apply(const Change& change, std::size_t forbidden_until_then) {
    const auto old = std::exchange(colours_[change.vertex], change.colour);
    forbidden_until(change.vertex, old) = forbidden_until_then;
    for (const auto other : graph_[change.vertex]) {
      --around_.at(other, old);
      ++around_.at(other, change.colour);
    }
    conflicts_ += change.gain;
    fewest_ = std::min(fewest_, conflicts_);
  }

  const ConflictGraph& graph_;
  std::uint32_t colour_count_;
  std::minstd_rand random_;
  std::vector<std::uint32_t> colours_;
  NeighbourColours around_;
  std::vector<std::size_t> forbidden_until_;
  std::int64_t conflicts_ = 0;
  std::int64_t fewest_ = 0;
};

}  // namespace

ExactColouring colour_exactly(const ConflictGraph& graph, std::uint32_t colour_count, std::size_t branches) {
  if (colour_count == 0) return {graph.empty() ? Colouring{std::in_place} : std::nullopt, true};
  BranchAndBound search(graph, colour_count, branches);
  if (search.extend(0)) return {search.colours(), true};
  return {std::nullopt, search.has_branches_left()};
}

Colouring colour_by_tabu(const ConflictGraph& graph, std::uint32_t colour_count, TabuLimits limits) {
  if (colour_count == 0) return graph.empty() ? Colouring{std::in_place} : std::nullopt;
  for (std::uint32_t start = 1; start <= limits.starts; ++start) {
    TabuSearch search(graph, colour_count, start);
    for (std::size_t now = 1; now <= limits.moves && !search.is_solved(); ++now) search.move(now);
    if (search.is_solved()) return search.colours();
  }
  return std::nullopt;
}

}  // namespace cubefold
