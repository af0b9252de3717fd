#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "cubefold/topology/route.hpp"

namespace cubefold {

/// One axis with its tie rule. A wrapped axis of extent 2 counts as open, as in axis_steps().
struct Line {
  std::uint32_t extent = 1;
  bool wrapped = false;
  Tie tie = Tie::balanced;

  /// Returns the signed steps from one coordinate to another on the shorter way, as axis_steps() does.
  std::int64_t steps(std::uint32_t from, std::uint32_t to) const {
    const auto direct = std::int64_t{to} - std::int64_t{from};
    if (!wrapped) return direct;
    const auto up = (direct + extent) & (extent - 1);
    const auto down = extent - up;
    if (up == down) return tie == Tie::balanced && from % 2 == 1 ? -down : up;
    return up < down ? up : -down;
  }
};

/// Adds a message to the loads of a line's links. `up` and `down` hold the differences of the loads of successive links
/// in the two directions, so the cost is O(1). at(c) is the index of the link that leaves coordinate c. Requires an
/// extent that is a power of two.
template <typename At>
void add_message(const Line& line, std::uint32_t from, std::uint32_t to, double messages,
                 std::vector<double>& up, std::vector<double>& down, At at) {
  const auto steps = line.steps(from, to);
  if (steps == 0) return;
  // A route upwards uses the links that leave [from, to), one downwards those that leave [to + 1, from + 1).
  auto& loads = steps > 0 ? up : down;
  const auto first = steps > 0 ? from : (to + 1) & (line.extent - 1);
  const auto end = steps > 0 ? to : (from + 1) & (line.extent - 1);
  loads[at(first)] += messages;
  if (end != 0) loads[at(end)] -= messages;
  if (end != 0 && end < first) loads[at(0)] += messages;
}

/// Returns the largest load of a line from the differences of its loads, and sets these to 0.
template <typename At>
double take_busiest(const Line& line, std::vector<double>& differences, At at) {
  double load = 0;
  double busiest = 0;
  for (std::uint32_t c = 0; c < line.extent; ++c) {
    load += differences[at(c)];
    differences[at(c)] = 0;
    busiest = std::max(busiest, load);
  }
  return busiest;
}

}  // namespace cubefold
