#include <algorithm>

#include "algorithm.hpp"
#include "shifts.hpp"
#include "topology/table_loads.hpp"

namespace cubefold {

namespace {

/// Adds the messages of one block each from every rank to the rank `offset` above it.
void add_own_blocks(PartBuilder& part, std::size_t step, std::size_t offset, std::size_t rank_count) {
  add_shift(part, step, offset, rank_count, [&](Rank from) {
    const Rank to = rank_above(from, offset, rank_count);
    return Message{from, to, {{from, to}}};
  });
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

ExchangeParts linear_parts(const ExchangeInputs& in) {
  const std::size_t p = in.placement.rank_count();
  return {p, std::min<std::size_t>(p - 1, 1), [p](PartBuilder& part) {
            for (std::size_t offset = 1; offset < p; ++offset) add_own_blocks(part, 0, offset, p);
          }};
}

/// Costs O(axes), or O(p^2) with a route table.
ExchangeCost linear_cost(const ExchangeInputs& in) {
  const Grid& grid = in.placement.grid();
  ExchangeCost cost;
  const std::uint64_t peers = grid.node_count() - 1;
  if (peers == 0) return cost;
  const bool one_port = in.ports == Ports::one;
  StepGroup step{1, one_port ? peers : 0, one_port ? peers : 0, Waits::first};
  if (grid.route_table() != nullptr) {
    add_pairs_by_table(*grid.route_table(), one_port, step);
  } else {
    add_pairs_by_axis(grid, in.tie, one_port, step);
  }
  cost.add(step);
  cost.sent_blocks = static_cast<double>(peers);
  return cost;
}

ExchangeParts shifted_parts(const ExchangeInputs& in) {
  const std::size_t p = in.placement.rank_count();
  return {p, p - 1, [p](PartBuilder& part) {
            for (std::size_t offset = 1; offset < p; ++offset) add_own_blocks(part, offset - 1, offset, p);
          }};
}

/// Costs O(p axes) if rank n runs on node n for every n, and O(p^2 axes) otherwise.
ExchangeCost shifted_cost(const ExchangeInputs& in) {
  const ShiftSteps steps(in.placement, in.ports, in.tie);
  const std::size_t peers = in.placement.rank_count() - 1;
  ExchangeCost cost;
  for (std::size_t offset = 1; offset <= peers; ++offset) {
    StepGroup step = steps.step({{offset, 1}});
    if (offset == 1) step.waits = Waits::first;
    cost.add(step);
  }
  cost.sent_blocks = static_cast<double>(peers);
  return cost;
}

}  // namespace

/// Describes a complete exchange in a single step. Every rank sends every other rank its block: rank r first to r + 1,
/// then to r + 2, ..., mod p, as the basic linear all-to-all of MPI libraries does. The step has p - 1 start-ups and
/// p - 1 blocks sent per rank; no exchange sends fewer blocks. From p = 3 on, messages conflict on links and ports, and
/// the network has to put them in order. The cost is the same under any placement. A part costs O(p).
const ExchangeDescriptor linear_algorithm{{.name = "linear",
                                           .examples = "linear",
                                           .summary = "all messages at once",
                                           .is_free_of_conflicts = false,
                                           .needs_axes = false},
                                          on_all_grids,
                                          linear_parts,
                                          linear_cost};

/// Describes a complete exchange by shifts: in step k = 0 .. p - 2 rank r sends one block to r + k + 1 mod p. There are
/// p - 1 steps, p - 1 start-ups, and p - 1 blocks sent per rank; no exchange sends fewer blocks. The schedule is
/// one-port. Messages of a step share links wherever they travel more than one hop. A part costs O(p).
const ExchangeDescriptor shifted_algorithm{
    {.name = "shifted",
     .examples = "shifted",
     .summary = "straight to rank + 1, then to rank + 2, and so on, mod p",
     .is_free_of_conflicts = false,
     .depends_on_placement = true,
     .needs_axes = false,
     .is_compared = false},
    on_request_only,
    shifted_parts,
    shifted_cost};

}  // namespace cubefold
