#include "planner/verification/network.hpp"

#include <algorithm>

namespace cubefold::planner {

Network::Coordinates Network::coordinates(std::size_t node) const {
  Coordinates result;
  for (std::size_t axis = 0; axis < grid_.axes().size(); ++axis) {
    result.push_back(node % extent(axis));
    node /= extent(axis);
  }
  return result;
}

std::size_t Network::node(const Coordinates& coordinates) const {
  std::size_t result = 0;
  for (std::size_t axis = coordinates.size(); axis-- > 0;) result = result * extent(axis) + coordinates[axis];
  return result;
}

bool Network::goes_up(std::size_t axis, std::size_t from, std::size_t to) const {
  if (!is_wrapped(axis)) return from < to;
  const std::size_t up = (to + extent(axis) - from) % extent(axis);
  const std::size_t down = extent(axis) - up;
  if (up != down) return up < down;
  return tie_ == Tie::positive || from % 2 == 0;
}

std::size_t Network::hops(std::size_t axis, std::size_t from, std::size_t to) const {
  const std::size_t inside = from < to ? to - from : from - to;
  return is_wrapped(axis) ? std::min(inside, extent(axis) - inside) : inside;
}

std::size_t Network::send(std::size_t from, std::size_t to, double messages, Loads& loads) const {
  const Coordinates target = coordinates(to);
  Coordinates here = coordinates(from);
  std::size_t hop_count = 0;
  for (std::size_t axis = 0; axis < target.size(); ++axis) {
    // The way that is begun is kept, also past half a ring.
    const bool up = goes_up(axis, here[axis], target[axis]);
    while (here[axis] != target[axis]) {
      const std::size_t before = node(here);
      here[axis] = (here[axis] + (up ? 1 : extent(axis) - 1)) % extent(axis);
      loads[{before, node(here)}] += messages;
      ++hop_count;
    }
  }
  return hop_count;
}

std::vector<std::size_t> Network::hops_from_the_middle() const {
  std::vector<std::size_t> result;
  for (std::size_t to = 0; to < grid_.node_count(); ++to) {
    const Coordinates target = coordinates(to);
    std::size_t sum = 0;
    for (std::size_t axis = 0; axis < target.size(); ++axis) {
      sum += hops(axis, (extent(axis) - 1) / 2, target[axis]);
    }
    result.push_back(sum);
  }
  std::ranges::sort(result);
  return result;
}

std::vector<std::size_t> Network::link_counts() const {
  std::vector<std::size_t> result;
  for (std::size_t from = 0; from < grid_.node_count(); ++from) {
    const Coordinates here = coordinates(from);
    std::size_t count = 0;
    for (std::size_t axis = 0; axis < here.size(); ++axis) {
      const std::size_t last = extent(axis) - 1;
      const bool goes_round = is_wrapped(axis) && extent(axis) > 2;
      if (here[axis] < last || goes_round) ++count;
      if (here[axis] > 0 || goes_round) ++count;
    }
    result.push_back(count);
  }
  return result;
}

}  // namespace cubefold::planner
