#include <vector>

#include "algorithm.hpp"
#include "line_timetable.hpp"

namespace cubefold {

namespace {

/// Builds the messages of one axis. When its steps begin, the axes before it are finished: with respect to those axes,
/// a node holds blocks from all source coordinates, but only blocks for its own coordinates.
class AxisExchange {
 public:
  AxisExchange(const Placement& placement, int axis, Ports ports, Tie tie)
      : placement_(placement), grid_(placement.grid()), axis_(axis), timetable_(grid_, axis, ports, tie) {}

  std::size_t step_count() const { return timetable_.step_count(); }

  /// Adds the messages of a node's rank in the step `index` of the axis, which is step `before` + `index` of all.
  void add_step(std::size_t before, std::size_t index, PartBuilder& part) const {
    const GridNode node = placement_.node_of(part.rank());
    for (const Direction direction : {Direction::positive, Direction::negative}) {
      const Link link{node, axis_, direction};
      if (!has_link(grid_, link)) continue;
      const Direction back = direction == Direction::positive ? Direction::negative : Direction::positive;
      const GridNode peer = end_of(grid_, link);
      part.send(before + index, [&](Rank) { return message(index, node, direction); });
      part.receive(before + index, placement_.rank_of(peer),
                   [&](Rank) { return message(index, peer, back); });
    }
  }

 private:
  Message message(std::size_t index, GridNode from, Direction direction) const {
    const GridNode to = end_of(grid_, {from, axis_, direction});
    Message message{placement_.rank_of(from), placement_.rank_of(to), {}};
    for (const LineLoad& load : timetable_.loads(index, grid_.coordinate(from, axis_), direction))
      add_blocks(load, static_cast<std::size_t>(from), message.blocks);
    return message;
  }

  void add_blocks(const LineLoad& load, std::size_t holder, std::vector<Block>& blocks) const {
    const std::size_t stride = grid_.stride(axis_);
    const std::size_t line = stride * grid_.extent(axis_);
    const std::size_t below = holder % stride;
    const std::size_t above = holder - holder % line;
    for (std::size_t source_below = 0; source_below < stride; ++source_below) {
      const Rank source = rank_at(above + load.source * stride + source_below);
      for (std::size_t plane = 0; plane < grid_.node_count(); plane += line) {
        for (const std::uint32_t destination : load.destinations) {
          blocks.push_back({source, rank_at(plane + destination * stride + below)});
        }
      }
    }
  }

  Rank rank_at(std::size_t node) const { return placement_.rank_of(static_cast<GridNode>(node)); }

  const Placement& placement_;
  const Grid& grid_;
  int axis_;
  LineTimetable timetable_;
};

/// Returns the mean number of hops of a block along an axis. Blocks that do not move along the axis count as 0.
double mean_hops(const Grid& grid, int axis) {
  const double extent = grid.extent(axis);
  if (!grid.has_wrap_link(axis)) return (extent * extent - 1) / (3 * extent);
  const std::uint32_t longest = grid.extent(axis) / 2;
  return longest * (extent - longest) / extent;
}

ExchangeParts store_and_forward_parts(const ExchangeInputs& in) {
  std::vector<AxisExchange> exchanges;
  std::size_t step_count = 0;
  for (int axis = 0; axis < in.placement.grid().axis_count(); ++axis)
    step_count += exchanges.emplace_back(in.placement, axis, in.ports, in.tie).step_count();
  return {in.placement.rank_count(), step_count, [exchanges](PartBuilder& part) {
            std::size_t before = 0;
            for (const AxisExchange& exchange : exchanges) {
              for (std::size_t k = 0; k < exchange.step_count(); ++k) exchange.add_step(before, k, part);
              before += exchange.step_count();
            }
          }};
}

/// Costs O(steps + extents).
ExchangeCost store_and_forward_cost(const ExchangeInputs& in) {
  const Grid& grid = in.placement.grid();
  ExchangeCost cost;
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    const std::size_t blocks_of_pair = grid.node_count() / grid.extent(axis);
    const LineTimetable timetable(grid, axis, in.ports, in.tie);
    for (std::size_t step = 0; step < timetable.step_count(); ++step)
      cost.add({1, timetable.largest_load(step) * blocks_of_pair, 1, Waits::each});
    cost.sent_blocks += mean_hops(grid, axis) * static_cast<double>(grid.node_count());
  }
  return cost;
}

}  // namespace

/// Describes a complete exchange on any grid in which every message goes to a neighbouring node. The axes follow one
/// another, axis 0 first. On its axis every line of nodes exchanges the blocks whose source and destination differ
/// there. On wrapped axes blocks go the shorter way round, and at distance k/2 the tie rule decides. A block waits at
/// most once on an axis, at its source, and then makes a hop in every step.
///
/// With Ports::one, neighbours swap in pairs; in odd steps the pairs begin with odd coordinates. On wrapped axes of odd
/// extent all nodes send up first and then down. With Ports::all, every node sends to both sides in every step. The
/// schedule is free of conflicts under the ports that it is built for.
///
/// The table has the steps of an axis of extent k, which are also its start-ups. It also has the sum over the steps of
/// the largest message, in aggregated blocks of p/k blocks each, with p nodes in all. A wrapped axis of extent 2 counts
/// as open.
///
/// | axis            | one port: steps, aggregated blocks | all ports: steps, aggregated blocks    |
/// |-----------------|------------------------------------|----------------------------------------|
/// | open, even      | k - 1, (k - 1)^2                   | k - 1, k (k - 1) / 2                   |
/// | open, odd k > 1 | k, (k - 1)^2 + 1                   | k - 1, k (k - 1) / 2                   |
/// | wrapped, even   | k/2, k^2/4; ties positive:         | k/2, k (k + 2) / 8                     |
/// |                 | k/2 + 1, k (k + 2) / 4             |                                        |
/// | wrapped, odd    | k - 1, (k^2 - 1) / 4               | (k - 1) / 2, (k^2 - 1) / 8             |
///
/// With one port, no exchange between neighbours takes fewer steps on a line: on an odd line, the two blocks from end
/// to end would have to enter the middle node at once. No exchange takes fewer aggregated blocks on a ring with
/// balanced ties, where they are the mean distance times k. With balanced ties, a rank never holds more than p blocks
/// if every axis is wrapped or of extent 2; otherwise it holds fewer than 2 p. The blocks of a message ascend by the
/// node of their source, then by that of their destination.
///
/// Costs O(blocks sent). Source: one of the methods that [Calmant] section 5 compares, which does not give its steps.
/// The pairs that swap are ours. On meshes of c equal axes of even extent n they give the known c (n - 1) start-ups and
/// c (n - 1)^2 p/n blocks.
const ExchangeDescriptor store_and_forward_algorithm{
    {"store-and-forward", "store-and-forward",
     "between neighbouring nodes only, axis by axis, every block one hop a step"},
    on_all_grids,
    store_and_forward_parts,
    store_and_forward_cost};

}  // namespace cubefold
