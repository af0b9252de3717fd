#include "planner/verification/cube_cut.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace cubefold::planner {

namespace {

/// Recognises phases in which all nodes send equally many messages over one cube dimension. Returns 2^dimension and the
/// number of messages of a node. The number of messages is 0 for any other phase.
std::pair<std::size_t, Whole> cube_dimension_of(const std::vector<GroupMessages>& messages,
                                                std::size_t node_count) {
  if (messages.size() != node_count) return {0, 0};
  const std::size_t step = messages.front().from ^ messages.front().to;
  const Whole amount = messages.front().amount;
  const bool crosses_one_bit = step > 0 && (step & (step - 1)) == 0;
  const bool are_alike = std::ranges::all_of(messages, [&](const GroupMessages& sent) {
    return (sent.from ^ sent.to) == step && sent.amount == amount;
  });
  return {step, crosses_one_bit && are_alike ? amount : 0};
}

/// Returns a lower bound of the messages that every node sends to each of its neighbours in the cube.
Whole messages_of_every_dimension(const std::vector<GroupPhase>& phases, std::size_t node_count) {
  std::map<std::size_t, Whole> sums;
  for (std::size_t step = 1; step < node_count; step *= 2) sums[step] = 0;
  for (const GroupPhase& phase : phases) {
    const auto [step, amount] = cube_dimension_of(phase.messages, node_count);
    if (amount > 0) sums[step] += amount;
  }
  Whole least = sums.empty() ? 0 : sums.begin()->second;
  for (const auto& [step, sum] : sums) least = std::min(least, sum);
  return least;
}

/// Returns for every m the largest number of pairs of neighbours in a cube among m of its labels.
std::vector<std::size_t> most_pairs_among_labels(std::size_t node_count) {
  std::vector<std::size_t> most_pairs_among(node_count + 1);
  for (std::size_t m = 1; m <= node_count; ++m) {
    std::size_t ones = 0;
    for (std::size_t rest = m - 1; rest > 0; rest /= 2) ones += rest % 2;
    most_pairs_among[m] = most_pairs_among[m - 1] + ones;
  }
  return most_pairs_among;
}

/// Returns the sum of the rates of the links that lead from the first layers of an axis to other vertices.
Whole rate_of_cut(const Network& network, std::size_t axis, std::size_t layer_count) {
  const Grid& grid = network.grid();
  const Axis& cut = grid.axes()[axis];
  const RouteTable* table = grid.route_table();
  if (table == nullptr) {
    const Whole sides = cut.ends == Ends::wrapped && cut.extent > 2 ? 2 : 1;
    return sides * (grid.node_count() / cut.extent);
  }
  std::size_t stride = 1;
  for (std::size_t before = 0; before < axis; ++before) stride *= grid.axes()[before].extent;
  const auto is_first = [&](std::size_t vertex) {
    return vertex < grid.node_count() && vertex / stride % cut.extent < layer_count;
  };
  Whole sum = 0;
  for (std::size_t link = 0; link < table->links().size(); ++link) {
    const auto [from, to] = network.ends_of(link);
    if (is_first(from) && !is_first(to)) sum += network.rate(link);
  }
  return sum;
}

}  // namespace

Whole busiest_cut_of_cube(const Network& network, const std::vector<GroupPhase>& phases) {
  const auto node_count = network.grid().node_count();
  const Whole common = messages_of_every_dimension(phases, node_count);
  if (common == 0) return 0;
  const auto most_pairs_among = most_pairs_among_labels(node_count);
  std::size_t dimensions = 0;
  for (std::size_t step = 1; step < node_count; step *= 2) ++dimensions;
  Whole most = 0;
  for (std::size_t axis = 0; axis < network.grid().axes().size(); ++axis) {
    const std::size_t extent = network.grid().axes()[axis].extent;
    for (std::size_t layers = 1; layers < extent; ++layers) {
      const std::size_t m = node_count / extent * layers;
      const Whole leaving = common * (dimensions * m - 2 * most_pairs_among[m]);
      most = std::max(most, ceil_quotient(leaving * network.rate_unit(), rate_of_cut(network, axis, layers)));
    }
  }
  return most;
}

}  // namespace cubefold::planner
