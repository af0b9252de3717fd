#include "linear.hpp"

#include <algorithm>

#include "algorithm.hpp"
#include "shifts.hpp"
#include "topology/table_loads.hpp"

namespace cubefold {

namespace {

Message own_block(Rank from, Rank to) {
  return {from, to, {{from, to}}};
}

/// Returns the messages on the busiest link of the axis when every node sends one message to every other node. It is
/// the number of messages on the busiest link of one line when each of its k nodes sends one to every other, times
/// nodes / k. A link of a ring carries the messages that travel less than half way round and a share of those that
/// travel half way. With balanced ties, links alternate between two shares, and the larger one counts.
std::uint64_t all_pairs_on_busiest_link(const Grid& grid, int axis, Tie tie) {
  const std::uint64_t k = grid.extent(axis);
  const std::uint64_t below_half = (k - 1) / 2;
  const std::uint64_t half_round = k % 2 != 0 ? 0 : tie == Tie::positive ? k / 2 : (k / 2 + 1) / 2;
  const std::uint64_t busiest =
      grid.has_wrap_link(axis) ? below_half * (below_half + 1) / 2 + half_round : k / 2 * (k - k / 2);
  return busiest * (grid.node_count() / k);
}

/// Returns the largest number of messages that leave a node by one link of the axis, or enter it. Messages that leave
/// go to every coordinate on one side and from there to all nodes of the axes behind. Messages that enter come from
/// every coordinate on one side and from all nodes of the axes before.
std::uint64_t all_pairs_at_busiest_port(const Grid& grid, int axis) {
  const std::uint64_t k = grid.extent(axis);
  const std::uint64_t to_one_side = grid.has_wrap_link(axis) ? k / 2 : k - 1;
  const std::uint64_t before = grid.stride(axis);
  const std::uint64_t behind = grid.node_count() / (before * k);
  return to_one_side * std::max(before, behind);
}

void add_pairs_by_axis(const Grid& grid, Tie tie, bool one_port, StepGroup& step) {
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    step.blocks = std::max(step.blocks, all_pairs_on_busiest_link(grid, axis, tie));
    if (!one_port) step.startups = std::max(step.startups, all_pairs_at_busiest_port(grid, axis));
  }
}

/// Counts the messages of all pairs along their routes, in O(p^2).
void add_pairs_by_table(const RouteTable& table, bool one_port, StepGroup& step) {
  const auto& links = table.links();
  const auto loads = all_to_all_loads(table);
  step.raise_to(1);  // the time of a message on links of any rate
  for (std::size_t i = 0; i < loads.size(); ++i) step.raise_to(loads[i], links[i].rate);
  if (one_port) return;
  std::vector<std::uint64_t> leaving(links.size());
  std::vector<std::uint64_t> entering(links.size());
  for (std::size_t to = 0; to < table.node_count(); ++to) {
    for_each_load_to(table, to, [&](std::size_t link, std::uint64_t messages) {
      if (links[link].from < table.node_count()) ++leaving[link];
      if (links[link].to == to) entering[link] += messages;
    });
  }
  step.startups = std::max(*std::ranges::max_element(leaving), *std::ranges::max_element(entering));
}

}  // namespace

Schedule linear_exchange(std::size_t rank_count) {
  require_rank_count("linear_exchange", rank_count);
  Schedule schedule{rank_count, {}};
  if (rank_count == 1) return schedule;
  Step& step = schedule.steps.emplace_back();
  for (std::size_t r = 0; r < rank_count; ++r) {
    const auto from = static_cast<Rank>(r);
    for (std::size_t offset = 1; offset < rank_count; ++offset) {
      step.push_back(own_block(from, rank_above(from, offset, rank_count)));
    }
  }
  return schedule;
}

Schedule linear_exchange_part(std::size_t rank_count, Rank rank) {
  require_rank_count("linear_exchange_part", rank_count);
  require_rank("linear_exchange_part", rank, rank_count);
  Schedule part{rank_count, {}};
  if (rank_count == 1) return part;
  Step& step = part.steps.emplace_back();
  for (std::size_t offset = 1; offset < rank_count; ++offset) {
    step.push_back(own_block(rank, rank_above(rank, offset, rank_count)));
    const Rank from = rank_below(rank, offset, rank_count);
    step.push_back(own_block(from, rank));
  }
  sort_by_sender(step);
  return part;
}

ExchangeCost linear_exchange_cost(const Grid& grid, Ports ports, Tie tie) {
  ExchangeCost cost;
  const std::uint64_t peers = grid.node_count() - 1;
  if (peers == 0) return cost;
  const bool one_port = ports == Ports::one;
  StepGroup step{1, one_port ? peers : 0, one_port ? peers : 0, Waits::first};
  if (grid.route_table() != nullptr) {
    add_pairs_by_table(*grid.route_table(), one_port, step);
  } else {
    add_pairs_by_axis(grid, tie, one_port, step);
  }
  cost.add(step);
  cost.sent_blocks = static_cast<double>(peers);
  return cost;
}

Schedule shifted_exchange(std::size_t rank_count) {
  require_rank_count("shifted_exchange", rank_count);
  Schedule schedule{rank_count, std::vector<Step>(rank_count - 1)};
  for (std::size_t k = 0; k < schedule.steps.size(); ++k) {
    schedule.steps[k].reserve(rank_count);
    for (std::size_t r = 0; r < rank_count; ++r) {
      const auto from = static_cast<Rank>(r);
      schedule.steps[k].push_back(own_block(from, rank_above(from, k + 1, rank_count)));
    }
  }
  return schedule;
}

Schedule shifted_exchange_part(std::size_t rank_count, Rank rank) {
  require_rank_count("shifted_exchange_part", rank_count);
  require_rank("shifted_exchange_part", rank, rank_count);
  Schedule part{rank_count, std::vector<Step>(rank_count - 1)};
  for (std::size_t k = 0; k < part.steps.size(); ++k) {
    part.steps[k] = {own_block(rank, rank_above(rank, k + 1, rank_count)),
                     own_block(rank_below(rank, k + 1, rank_count), rank)};
    sort_by_sender(part.steps[k]);
  }
  return part;
}

ExchangeCost shifted_exchange_cost(const Placement& placement, Ports ports, Tie tie) {
  const ShiftSteps steps(placement, ports, tie);
  ExchangeCost cost;
  for (std::size_t offset = 1; offset < placement.rank_count(); ++offset) {
    StepGroup step = steps.step({{offset, 1}});
    if (offset == 1) step.waits = Waits::first;
    cost.add(step);
  }
  cost.sent_blocks = static_cast<double>(placement.rank_count() - 1);
  return cost;
}

const ExchangeDescriptor linear_algorithm{
    {.name = "linear",
     .examples = "linear",
     .summary = "all messages at once",
     .is_free_of_conflicts = false,
     .needs_axes = false},
    on_all_grids,
    [](const ExchangeInputs& in) { return linear_exchange(in.placement.rank_count()); },
    [](const ExchangeInputs& in, Rank rank) { return linear_exchange_part(in.placement.rank_count(), rank); },
    [](const ExchangeInputs& in) { return linear_exchange_cost(in.placement.grid(), in.ports, in.tie); }};

const ExchangeDescriptor shifted_algorithm{
    {.name = "shifted",
     .examples = "shifted",
     .summary = "straight to rank + 1, then to rank + 2, and so on, mod p",
     .is_free_of_conflicts = false,
     .depends_on_placement = true,
     .needs_axes = false,
     .is_compared = false},
    on_request_only,
    [](const ExchangeInputs& in) { return shifted_exchange(in.placement.rank_count()); },
    [](const ExchangeInputs& in, Rank rank) {
      return shifted_exchange_part(in.placement.rank_count(), rank);
    },
    [](const ExchangeInputs& in) { return shifted_exchange_cost(in.placement, in.ports, in.tie); }};

}  // namespace cubefold
