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

/// Calls visit(source, hops made) for every source whose blocks the node sends on. Blocks start in one of two steps.
template <typename Visit>
void LineTimetable::for_each_source(std::size_t step, std::uint32_t coordinate, Direction direction,
                                    Visit visit) const {
  const std::uint32_t farthest = wrapped_                           ? extent_ / 2
                                 : direction == Direction::positive ? coordinate
                                                                    : extent_ - 1 - coordinate;
  for (const std::size_t begin : {std::size_t{0}, std::size_t{is_odd_ring() ? extent_ / 2 : 1}}) {
    if (begin > step || step - begin > farthest) continue;
    const auto hops = static_cast<std::uint32_t>(step - begin);
    const std::uint32_t source = moved(coordinate, opposite(direction), hops);
    if (start(source, direction) == begin && reach(source, direction) > hops) visit(source, hops);
  }
}

std::vector<LineLoad> LineTimetable::loads(std::size_t step, std::uint32_t coordinate,
                                           Direction direction) const {
  std::vector<LineLoad> result;
  for_each_source(step, coordinate, direction, [&](std::uint32_t source, std::uint32_t hops) {
    result.push_back(load(source, direction, hops));
  });
  std::sort(result.begin(), result.end(),
            [](const LineLoad& a, const LineLoad& b) { return a.source < b.source; });
  return result;
}

std::size_t LineTimetable::load_size(std::size_t step, std::uint32_t coordinate, Direction direction) const {
  std::size_t size = 0;
  for_each_source(step, coordinate, direction,
                  [&](std::uint32_t source, std::uint32_t hops) { size += reach(source, direction) - hops; });
  return size;
}

// On a ring all coordinates of one parity send equal loads. On a line, a node sends in a step only if it is at least
// step - 1 hops from the end that the blocks come from, since blocks start in step 0 or 1. The nearer it is to that
// end, the more nodes lie ahead of it, and so the largest load is that of one of the first such nodes.
std::size_t LineTimetable::largest_load(std::size_t step) const {
  std::size_t largest = 0;
  for (std::uint32_t near = 0; near < 4; ++near) {
    const std::size_t hops = step + near < 2 ? 0 : step + near - 2;
    const auto from_end = static_cast<std::uint32_t>(wrapped_ ? near % extent_ : hops);
    if (from_end >= extent_) continue;
    largest = std::max({largest, load_size(step, from_end, Direction::positive),
                        load_size(step, extent_ - 1 - from_end, Direction::negative)});
  }
  return largest;
}

// With one port, nodes whose coordinates have the parity of the step send up and the others send down. Blocks that go
// up from an even coordinate in an even step reach an odd one for the next step, so that nothing waits on its way. The
// parities of a ring of odd extent do not alternate, and so all its nodes send up first and down afterwards.
std::size_t LineTimetable::start(std::uint32_t source, Direction direction) const {
  if (ports_ == Ports::all) return 0;
  const bool up = direction == Direction::positive;
  if (is_odd_ring()) return up ? 0 : extent_ / 2;
  return up ? source % 2 : (source + 1) % 2;
}

/// Returns the hops from the source to the farthest destination on that side.
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
