#include "best_placement.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "amounts.hpp"
#include "cubefold/embedding/placement.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

namespace {

std::string text_of_table(const std::vector<GridNode>& nodes) {
  PlacementRule rule;
  rule.nodes = nodes;
  return to_string(rule);
}

/// Returns the node of each rank from the node of each group.
std::vector<GridNode> nodes_of_ranks(const std::vector<GridNode>& node_of_group, std::size_t per_node) {
  std::vector<GridNode> nodes;
  for (const GridNode node : node_of_group) nodes.insert(nodes.end(), per_node, node);
  return nodes;
}

}  // namespace

double in_units(const ExactSum& sum) {
  return std::ldexp(static_cast<double>(sum.high), 64) + static_cast<double>(sum.low);
}

JointValue in_units(const MappingValues& values) {
  return {in_units(values.exact_objective), in_units(values.exact_hop_bytes)};
}

BestPlacement::BestPlacement(const Grid& grid, std::span<const Phase> phases, const MappingOptions& options)
    : grid_(grid),
      phases_(phases),
      options_(options),
      groups_(as_phases(between_groups("choose_placement", grid, phases,
                                       Amounts("choose_placement", grid, phases), options.per_node))),
      bound_(lower_bound(grid, phases, options.objective, options.per_node)),
      is_of_rules_only_(options.rules_only && grid.route_table() == nullptr &&
                        extents_are_powers_of_two(grid)) {}

bool BestPlacement::is_evenly_loaded() const {
  return load_if_all_were_busiest() == in_units(values_).hops;
}

bool BestPlacement::is_mostly_busy() const {
  return 3 * load_if_all_were_busiest() <= 4 * in_units(values_).hops;
}

double BestPlacement::load_if_all_were_busiest() const {
  if (grid_.route_table() != nullptr || options_.objective == MappingObjective::hop_bytes)
    return std::numeric_limits<double>::infinity();
  return in_units(values_).objective * static_cast<double>(links_of(grid_).size());
}

void BestPlacement::begin_search(std::string what) {
  searches_.push_back(std::move(what));
}

void BestPlacement::offer(const std::string& rule) {
  auto nodes = node_of_rank(Placement(grid_, parse_placement(rule)));
  if (!wins(nodes, false)) return;
  text_ = rule;
  nodes_ = std::move(nodes);
}

void BestPlacement::offer(std::vector<GridNode> nodes) {
  if (is_of_rules_only_ && !rule_of(grid_, nodes)) return;
  if (!wins(nodes, true)) return;
  nodes_ = std::move(nodes);
  const auto rule = extents_are_powers_of_two(grid_) ? rule_of(grid_, nodes_) : std::nullopt;
  is_table_ = !rule;
  text_ = rule ? to_string(grid_, *rule) : text_of_table(nodes_);
}

bool BestPlacement::wins(const std::vector<GridNode>& nodes, bool is_table) {
  auto values =
      evaluate(grid_, nodes_of_ranks(nodes, options_.per_node), phases_, options_.objective, options_.tie);
  const bool replaces_equals = is_table_ && !is_table;
  const bool is_best =
      nodes_.empty() || is_better(values, values_) || (replaces_equals && !is_better(values_, values));
  if (!is_best) return false;
  values_ = std::move(values);
  is_table_ = is_table;
  best_from_ = searches_.size();
  return true;
}

Mapping BestPlacement::mapping() const {
  Mapping result{text_, nodes_of_ranks(nodes_, options_.per_node), values_, bound_, {}, searched()};
  if (is_over()) result.optimal = true;
  return result;
}

std::string BestPlacement::searched() const {
  std::string text;
  for (std::size_t i = 0; i < searches_.size(); ++i) {
    const char* mark = searches_.size() > 1 && best_from_ == i + 1 ? " (the choice)" : "";
    text += fmt::format("{}{}{}", i == 0 ? "" : "; ", searches_[i], mark);
  }
  return text;
}

}  // namespace cubefold
