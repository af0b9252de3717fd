#include <algorithm>
#include <bit>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "amounts.hpp"
#include "cubefold/plan/mapping.hpp"
#include "link_bounds.hpp"
#include "link_rates.hpp"

namespace cubefold {

namespace {

/// Returns the sum of the rates of all links out of the nodes whose coordinate on an axis is below `slabs`.
Whole rate_out_of_slabs(const Grid& grid, const LinkRates& rates, int axis, std::size_t slabs) {
  const RouteTable* table = grid.route_table();
  if (table == nullptr) return (grid.has_wrap_link(axis) ? 2 : 1) * (grid.node_count() / grid.extent(axis));
  const auto is_inside = [&](std::uint32_t vertex) {
    return vertex < grid.node_count() && grid.coordinate(GridNode{vertex}, axis) < slabs;
  };
  Whole sum = 0;
  for (std::size_t link = 0; link < table->links().size(); ++link) {
    const TableLink& ends = table->links()[link];
    if (is_inside(ends.from) && !is_inside(ends.to)) sum += rates.of(link);
  }
  return sum;
}

/// Returns a lower bound of the load on the busiest link that leaves some slab of nodes, if every rank sends `common`
/// to each of its cube neighbours. Any m labels together have at least d m - 2 (ones in the binary numbers below m)
/// neighbours outside. Source: Harper 1964.
Whole busiest_cut(const Grid& grid, Whole common) {
  const auto dimensions = static_cast<std::size_t>(std::countr_zero(grid.node_count()));
  std::vector<std::size_t> ones_below(grid.node_count() + 1);
  for (std::size_t m = 0; m < grid.node_count(); ++m) {
    ones_below[m + 1] = ones_below[m] + static_cast<std::size_t>(std::popcount(m));
  }
  const LinkRates rates(grid);
  Whole bound = 0;
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    for (std::size_t slabs = 1; slabs < grid.extent(axis); ++slabs) {
      const auto size = slabs * (grid.node_count() / grid.extent(axis));
      const Whole leaving = common * (dimensions * size - 2 * ones_below[size]);
      bound =
          std::max(bound, divided_up(leaving * rates.unit(), rate_out_of_slabs(grid, rates, axis, slabs)));
    }
  }
  return bound;
}

/// Returns whether every rank sends the same amount to its neighbour in one cube dimension.
bool is_cube_dimension(const std::vector<GroupMessage>& messages, std::size_t rank_count) {
  if (messages.size() != rank_count) return false;
  const auto step = [](const GroupMessage& sent) { return label(sent.from) ^ label(sent.to); };
  const GroupMessage& first = messages.front();
  return std::has_single_bit(step(first)) && std::ranges::all_of(messages, [&](const GroupMessage& sent) {
           return step(sent) == step(first) && sent.amount == first.amount;
         });
}

/// Returns the cut bound of the phases that are cube dimensions, or 0 unless all dimensions are among them.
Whole cube_cut(const Grid& grid, const std::vector<GroupPhase>& groups) {
  if (!std::has_single_bit(grid.node_count()) || grid.node_count() == 1) return 0;
  std::vector<Whole> amounts(static_cast<std::size_t>(std::countr_zero(grid.node_count())));
  for (const auto& [name, messages] : groups) {
    if (!is_cube_dimension(messages, grid.node_count())) continue;
    const GroupMessage& first = messages.front();
    amounts[static_cast<std::size_t>(std::countr_zero(label(first.from) ^ label(first.to)))] += first.amount;
  }
  // The bound requires one amount for all dimensions, so it takes the smallest.
  const Whole common = *std::min_element(amounts.begin(), amounts.end());
  return common > 0 ? busiest_cut(grid, common) : 0;
}

/// Returns a lower bound of the busiest link of all phases together.
Bound of_all(const LinkBounds& bounds, const Grid& grid, const std::vector<GroupPhase>& groups) {
  const Messages all(groups);
  Bound bound = bounds.busiest_link(all);
  bound.source += " of all phases";
  const Whole cut = bounds.rounded_up(cube_cut(grid, groups), all);
  return cut > bound.value ? Bound{cut, "cut of the cube"} : bound;
}

/// Returns the reasons as `hops, ports or routes`.
std::string joined_by_or(const std::set<std::string>& reasons) {
  std::string text;
  std::size_t left = reasons.size();
  for (const std::string& reason : reasons) {
    text += reason;
    --left;
    if (left > 0) text += left == 1 ? " or " : ", ";
  }
  return text;
}

Bound of_sum(const LinkBounds& bounds, const Grid& grid, const std::vector<GroupPhase>& groups) {
  Whole sum = 0;
  std::set<std::string> reasons;
  for (const GroupPhase& group : groups) {
    const Bound bound = bounds.busiest_link(group);
    sum += bound.value;
    if (bound.value > 0) reasons.insert(bound.source);
  }
  Bound all = of_all(bounds, grid, groups);
  // The loads of the busiest links of the phases add up to no less than the load of the busiest link of all phases
  // together.
  if (all.value > sum) return all;
  return {sum, (reasons.empty() ? "ports" : joined_by_or(reasons)) + " of each phase"};
}

Bound of_union(const LinkBounds& bounds, const Grid& grid, const std::vector<GroupPhase>& groups) {
  Bound best = of_all(bounds, grid, groups);
  for (const GroupPhase& group : groups) {
    const Bound bound = bounds.busiest_link(group);
    if (bound.value > best.value) best = {bound.value, bound.source + " of phase " + group.name};
  }
  return best;
}

Bound of_hops(const LinkBounds& bounds, const std::vector<GroupPhase>& groups) {
  const Messages all(groups);
  const Bound bound{whole_messages(bounds.hops(all), all), "hops"};
  const auto is_complete = [&](const GroupPhase& group) { return bounds.is_complete(group); };
  if (std::ranges::none_of(groups, is_complete)) return bound;
  Whole sum = 0;
  for (const GroupPhase& group : groups)
    sum += is_complete(group) ? bounds.hops_of_complete(group) : bounds.hops(alone(group));
  return sum > bound.value ? Bound{sum, "hops of each phase"} : bound;
}

Bound bound_of(const LinkBounds& bounds, const Grid& grid, const std::vector<GroupPhase>& groups,
               MappingObjective objective) {
  switch (objective) {
    case MappingObjective::busiest_links:
      return of_sum(bounds, grid, groups);
    case MappingObjective::busiest_link_together:
      return of_union(bounds, grid, groups);
    case MappingObjective::hop_bytes:
      return of_hops(bounds, groups);
  }
  throw std::invalid_argument("lower_bound: unknown objective");
}

}  // namespace

LowerBound lower_bound(const Grid& grid, std::span<const Phase> phases, MappingObjective objective,
                       std::size_t per_node) {
  const Amounts amounts("lower_bound", grid, phases);
  const auto groups = between_groups("lower_bound", grid, phases, amounts, per_node);
  const Bound bound = bound_of(LinkBounds(grid), grid, groups, objective);
  return {amounts.value(bound.value), bound.source, exact(bound.value)};
}

}  // namespace cubefold
