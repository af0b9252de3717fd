#include "cubefold/plan/mapping.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "affine.hpp"
#include "amounts.hpp"
#include "bit_search.hpp"
#include "cubefold/embedding/placement.hpp"
#include "exhaustive_search.hpp"
#include "group.hpp"
#include "swap_search.hpp"

namespace cubefold {

namespace {

bool extents_are_powers_of_two(const Grid& grid) {
  return std::all_of(grid.axes().begin(), grid.axes().end(),
                     [](const Axis& axis) { return std::has_single_bit(axis.extent); });
}

/// One entry per rank, where only groups have been placed.
std::vector<GridNode> nodes_of_ranks(const std::vector<GridNode>& node_of_group, std::size_t per_node) {
  std::vector<GridNode> nodes;
  for (const GridNode node : node_of_group) nodes.insert(nodes.end(), per_node, node);
  return nodes;
}

bool phases_are_affine(const std::vector<Phase>& phases) {
  return std::all_of(phases.begin(), phases.end(), [](const Phase& phase) {
    return phase.traffic.empty() || recognise_affine(phase.traffic).has_value();
  });
}

/// Lets placements compete; the first of equals wins.
class Choice {
 public:
  Choice(const Grid& grid, std::span<const Phase> phases, const MappingOptions& options)
      : grid_(grid),
        phases_(phases),
        groups_(as_phases(between_groups("choose_placement", grid, phases,
                                         Amounts("choose_placement", grid, phases), options.per_node))),
        options_(options),
        bound_(lower_bound(grid, phases, options.objective, options.per_node)) {
    consider_named("identity");
    if (extents_are_powers_of_two(grid)) {
      consider_named("xor");
      consider_named("by-weight");
      search_bits();
      if (phases_are_affine(groups_)) return;
    }
    if (!reaches_bound()) search_swaps();
  }

  Mapping mapping() const {
    Mapping result{text_, nodes_of_ranks(nodes_, options_.per_node), values_, bound_, {}, searched_};
    if (reaches_bound()) result.optimal = true;
    return result;
  }

 private:
  bool reaches_bound() const { return values_.exact_objective <= bound_.exact_value; }

  void consider_named(const char* text) {
    consider(text, node_of_rank(Placement(grid_, parse_placement(text))));
  }

  void consider(std::string text, std::vector<GridNode> nodes) {
    auto values =
        evaluate(grid_, nodes_of_ranks(nodes, options_.per_node), phases_, options_.objective, options_.tie);
    const auto exact = [](const MappingValues& v) { return std::pair(v.exact_objective, v.exact_hop_bytes); };
    if (!nodes_.empty() && exact(values) >= exact(values_)) return;
    values_ = std::move(values);
    text_ = std::move(text);
    nodes_ = std::move(nodes);
  }

  void search_bits() {
    AxisLoads loads(grid_, groups_, options_.objective, options_.tie);
    const auto effort = static_cast<double>(options_.effort);
    const double work = work_of_exhaustive_search(grid_, loads);
    const bool look_at_all = work <= effort;
    const auto climbed = look_at_all ? bit_search(grid_, loads, work, 20, options_.seed)
                                     : bit_search(grid_, loads, effort, 1'000'000, options_.seed);
    consider(to_string(grid_, climbed.rule), nodes_of(grid_, climbed.rule));
    searched_ = "local search over embeddings per axis and orders of bits";
    if (!look_at_all) return;
    const auto all = exhaustive_search(grid_, loads, climbed.value);
    if (all.is_complete) searched_ = "exhaustive over embeddings per axis and orders of bits";
    if (all.rule) consider(to_string(grid_, *all.rule), nodes_of(grid_, *all.rule));
  }

  void search_swaps() {
    const auto effort = static_cast<double>(options_.effort);
    searched_ += searched_.empty() ? "" : "; ";
    searched_ += "local search over swaps of two nodes";
    consider_swaps_from(nodes_, effort / 4);
    if (work_of_greedy_nodes(grid_, groups_) > effort / 4) return;
    auto for_hops = options_;
    for_hops.objective = MappingObjective::hop_bytes;
    const auto near = swap_search(grid_, groups_, for_hops, greedy_nodes(grid_, groups_), effort / 4);
    consider_swaps_from(near, effort / 4);
    searched_ += ", from the best so far and from a greedy start";
  }

  void consider_swaps_from(std::vector<GridNode> start, double work_limit) {
    auto nodes = swap_search(grid_, groups_, options_, std::move(start), work_limit);
    PlacementRule table;
    table.nodes = nodes;
    consider(to_string(table), std::move(nodes));
  }

  const Grid& grid_;
  std::span<const Phase> phases_;
  std::vector<Phase> groups_;
  const MappingOptions& options_;
  LowerBound bound_;
  MappingValues values_;
  std::string text_;
  std::vector<GridNode> nodes_;
  std::string searched_;
};

}  // namespace

Mapping choose_placement(const Grid& grid, std::span<const Phase> phases, const MappingOptions& options) {
  if (phases.empty()) throw std::invalid_argument("choose_placement: there are no phases");
  return Choice(grid, phases, options).mapping();
}

}  // namespace cubefold
