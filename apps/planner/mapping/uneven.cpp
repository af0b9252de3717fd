#include "planner/mapping/uneven.hpp"

#include <map>
#include <utility>

namespace cubefold::planner {

namespace {

class UnevenSearch {
 public:
  explicit UnevenSearch(const MapQuestion& question) : question_(question) {}

  Mapping best() {
    for (const auto& rule : familiar_rules(grid())) offer(rule);
    while (offer(choose_placement(grid(), messages_of_groups(), options()).placement)) {
    }
    best_.bound = bound_of_uneven();
    if (best_.values.exact_objective == best_.bound.exact_value) best_.optimal = true;
    best_.searched = "groups of unequal size, placed with the messages of the best placement before";
    return std::move(best_);
  }

 private:
  const Grid& grid() const { return question_.allocation.grid; }
  const std::vector<Phase>& phases() const { return question_.defined.phases; }

  MappingOptions options() const {
    MappingOptions options;
    options.objective = question_.objective;
    options.tie = question_.tie;
    options.effort = question_.effort;
    return options;
  }

  /// Keeps the placement if it is better than the best so far, and returns whether it is.
  bool offer(const std::string& rule) {
    auto nodes = nodes_under(question_.allocation, rule);
    auto values = evaluate(grid(), nodes, phases(), question_.objective, question_.tie);
    if (!best_.node_of_rank.empty() && !is_better(values, best_.values)) return false;
    best_.placement = rule;
    best_.node_of_rank = std::move(nodes);
    best_.values = std::move(values);
    return true;
  }

  /// Returns the messages between the groups of the best placement. The ranks of a group are consecutive.
  std::vector<Phase> messages_of_groups() const {
    std::vector<Rank> group_of;
    std::uint32_t group = 0;
    for (std::size_t rank = 0; rank < best_.node_of_rank.size(); ++rank) {
      if (rank > 0 && best_.node_of_rank[rank] != best_.node_of_rank[rank - 1]) ++group;
      group_of.push_back(Rank{group});
    }
    std::vector<Phase> result;
    for (const Phase& phase : phases()) {
      std::map<std::pair<Rank, Rank>, double> sums;
      for (const auto& [from, to, messages] : phase.traffic)
        if (group_of[label(from)] != group_of[label(to)])
          sums[{group_of[label(from)], group_of[label(to)]}] += messages;
      result.push_back({phase.name, phase.weight, {}});
      for (const auto& [ends, messages] : sums)
        result.back().traffic.push_back({ends.first, ends.second, messages});
    }
    return result;
  }

  const MapQuestion& question_;
  Mapping best_;
};

}  // namespace

Mapping choose_uneven(const MapQuestion& question) {
  return UnevenSearch(question).best();
}

LowerBound bound_of_uneven() {
  return {0, "none is known for unequal numbers of ranks", {}};
}

}  // namespace cubefold::planner
