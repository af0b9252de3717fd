#include "planner/verification/exchange_bounds.hpp"

#include <algorithm>

namespace cubefold::planner {

namespace {

double by_cuts(const Grid& grid) {
  double most = 0;
  for (const Axis& axis : grid.axes()) {
    const std::size_t layer = grid.node_count() / axis.extent;
    const std::size_t sides = axis.ends == Ends::wrapped && axis.extent > 2 ? 2 : 1;
    for (std::size_t inside = layer; inside < grid.node_count(); inside += layer) {
      const double leaving = static_cast<double>(inside) * static_cast<double>(grid.node_count() - inside);
      most = std::max(most, leaving / static_cast<double>(sides * layer));
    }
  }
  return most;
}

double by_ports(const Network& network, bool is_one_port) {
  const auto links = network.link_counts();
  const std::size_t fewest = is_one_port ? 1 : *std::ranges::min_element(links);
  return static_cast<double>(links.size() - 1) / static_cast<double>(std::max<std::size_t>(fewest, 1));
}

}  // namespace

double proven_block_times(const Network& network, bool is_one_port) {
  return std::max(by_cuts(network.grid()), by_ports(network, is_one_port));
}

std::size_t proven_startups(const Network& network, bool is_one_port) {
  const auto links = network.link_counts();
  const std::size_t passed_on_to = is_one_port ? 1 : *std::ranges::max_element(links);
  std::size_t startups = 0;
  for (std::size_t reached = 1; reached < links.size(); reached += reached * passed_on_to) ++startups;
  return startups;
}

}  // namespace cubefold::planner
