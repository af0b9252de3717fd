#include "store_and_forward.hpp"

#include <vector>

#include "algorithm.hpp"
#include "line_timetable.hpp"
#include "shifts.hpp"

namespace cubefold {

namespace {

/// Builds the messages of one axis. When its steps begin, the axes before it are finished: with respect to those axes,
/// a node holds blocks from all source coordinates, but only blocks for its own coordinates.
class AxisExchange {
 public:
  AxisExchange(const Placement& placement, int axis, Ports ports, Tie tie)
      : placement_(placement), grid_(placement.grid()), axis_(axis), timetable_(grid_, axis, ports, tie) {}

  std::size_t step_count() const { return timetable_.step_count(); }

  Step step(std::size_t index) const {
    Step result;
    for (std::size_t r = 0; r < placement_.rank_count(); ++r) {
      for (const Direction direction : {Direction::positive, Direction::negative}) {
        add_message(index, placement_.node_of(static_cast<Rank>(r)), direction, result);
      }
    }
    return result;
  }

  Step part_of_step(std::size_t index, GridNode node) const {
    Step result;
    for (const Direction direction : {Direction::positive, Direction::negative}) {
      const Link link{node, axis_, direction};
      if (!has_link(grid_, link)) continue;
      const Direction back = direction == Direction::positive ? Direction::negative : Direction::positive;
      add_message(index, node, direction, result);
      add_message(index, end_of(grid_, link), back, result);
    }
    sort_by_sender(result);
    return result;
  }

 private:
  void add_message(std::size_t index, GridNode from, Direction direction, Step& step) const {
    const auto loads = timetable_.loads(index, grid_.coordinate(from, axis_), direction);
    if (loads.empty()) return;
    const GridNode to = end_of(grid_, {from, axis_, direction});
    Message& message = step.emplace_back(Message{placement_.rank_of(from), placement_.rank_of(to), {}});
    for (const LineLoad& load : loads) add_blocks(load, static_cast<std::size_t>(from), message.blocks);
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

std::vector<AxisExchange> exchanges_of_axes(const Placement& placement, Ports ports, Tie tie) {
  std::vector<AxisExchange> exchanges;
  exchanges.reserve(placement.grid().axes().size());
  for (int axis = 0; axis < placement.grid().axis_count(); ++axis) {
    exchanges.emplace_back(placement, axis, ports, tie);
  }
  return exchanges;
}

/// Returns the mean number of hops of a block along an axis. Blocks that do not move along the axis count as 0.
double mean_hops(const Grid& grid, int axis) {
  const double extent = grid.extent(axis);
  if (!grid.has_wrap_link(axis)) return (extent * extent - 1) / (3 * extent);
  const std::uint32_t longest = grid.extent(axis) / 2;
  return longest * (extent - longest) / extent;
}

}  // namespace

Schedule store_and_forward_exchange(const Placement& placement, Ports ports, Tie tie) {
  Schedule schedule{placement.rank_count(), {}};
  for (const AxisExchange& exchange : exchanges_of_axes(placement, ports, tie)) {
    for (std::size_t k = 0; k < exchange.step_count(); ++k) schedule.steps.push_back(exchange.step(k));
  }
  return schedule;
}

Schedule store_and_forward_exchange_part(const Placement& placement, Ports ports, Tie tie, Rank rank) {
  require_rank("store_and_forward_exchange_part", rank, placement.rank_count());
  const GridNode node = placement.node_of(rank);
  Schedule part{placement.rank_count(), {}};
  for (const AxisExchange& exchange : exchanges_of_axes(placement, ports, tie)) {
    for (std::size_t index = 0; index < exchange.step_count(); ++index) {
      part.steps.push_back(exchange.part_of_step(index, node));
    }
  }
  return part;
}

ExchangeCost store_and_forward_exchange_cost(const Grid& grid, Ports ports, Tie tie) {
  ExchangeCost cost;
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    const std::size_t blocks_of_pair = grid.node_count() / grid.extent(axis);
    const LineTimetable timetable(grid, axis, ports, tie);
    for (std::size_t step = 0; step < timetable.step_count(); ++step)
      cost.add({1, timetable.largest_load(step) * blocks_of_pair, 1, Waits::each});
    cost.sent_blocks += mean_hops(grid, axis) * static_cast<double>(grid.node_count());
  }
  return cost;
}

const ExchangeDescriptor store_and_forward_algorithm{
    {"store-and-forward", "store-and-forward",
     "between neighbouring nodes only, axis by axis, every block one hop a step"},
    on_all_grids,
    [](const ExchangeInputs& in) { return store_and_forward_exchange(in.placement, in.ports, in.tie); },
    [](const ExchangeInputs& in, Rank rank) {
      return store_and_forward_exchange_part(in.placement, in.ports, in.tie, rank);
    },
    [](const ExchangeInputs& in) {
      return store_and_forward_exchange_cost(in.placement.grid(), in.ports, in.tie);
    }};

}  // namespace cubefold
