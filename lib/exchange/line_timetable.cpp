#include "line_timetable.hpp"

#include <algorithm>

namespace cubefold {

namespace {

Direction opposite(Direction direction) {
  return direction == Direction::positive ? Direction::negative : Direction::positive;
}

}  // namespace

LineTimetable::LineTimetable(const Grid& grid, int axis, Ports ports, Tie tie)
    : extent_(grid.extent(axis)), wrapped_(grid.has_wrap_link(axis)), ports_(ports), tie_(tie) {
  for (std::uint32_t source = 0; source < extent_; ++source) {
    for (const Direction direction : {Direction::positive, Direction::negative}) {
      const std::uint32_t hops = reach(source, direction);
      if (hops > 0) step_count_ = std::max(step_count_, start(source, direction) + hops);
    }
  }
}

std::vector<LineLoad> LineTimetable::loads(std::size_t step, std::uint32_t coordinate,
                                           Direction direction) const {
  std::vector<LineLoad> result;
  const Direction back = opposite(direction);
  const std::uint32_t farthest = wrapped_                           ? extent_ / 2
                                 : direction == Direction::positive ? coordinate
                                                                    : extent_ - 1 - coordinate;
  for (std::uint32_t hops = 0; hops <= step && hops <= farthest; ++hops) {
    const std::uint32_t source = moved(coordinate, back, hops);
    if (start(source, direction) + hops != step || reach(source, direction) <= hops) continue;
    result.push_back(load(source, direction, hops));
  }
  std::sort(result.begin(), result.end(),
            [](const LineLoad& a, const LineLoad& b) { return a.source < b.source; });
  return result;
}

// With one port, nodes whose coordinates have the parity of the step send up and the others down. What went up from an even
// coordinate in an even step comes to an odd one for the next step, so nothing waits on its way. Round an odd ring parities
// do not come out even.
std::size_t LineTimetable::start(std::uint32_t source, Direction direction) const {
  if (ports_ == Ports::all) return 0;
  const bool up = direction == Direction::positive;
  if (is_odd_ring()) return up ? 0 : extent_ / 2;
  return up ? source % 2 : (source + 1) % 2;
}

/// Hops to the farthest destination on that side.
std::uint32_t LineTimetable::reach(std::uint32_t source, Direction direction) const {
  const bool up = direction == Direction::positive;
  if (!wrapped_) return up ? extent_ - 1 - source : source;
  if (is_odd_ring()) return extent_ / 2;
  const bool tie_goes_up = tie_ == Tie::positive || source % 2 == 0;
  return tie_goes_up == up ? extent_ / 2 : extent_ / 2 - 1;
}

std::uint32_t LineTimetable::moved(std::uint32_t coordinate, Direction direction, std::uint32_t hops) const {
  const std::uint32_t up = direction == Direction::positive ? hops : extent_ - hops;
  return (coordinate + up) % extent_;
}

LineLoad LineTimetable::load(std::uint32_t source, Direction direction, std::uint32_t hops_made) const {
  LineLoad load{source, {}};
  for (std::uint32_t hops = hops_made + 1; hops <= reach(source, direction); ++hops) {
    load.destinations.push_back(moved(source, direction, hops));
  }
  std::sort(load.destinations.begin(), load.destinations.end());
  return load;
}

}  // namespace cubefold
