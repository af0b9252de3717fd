#include "cubefold/simulation/steps.hpp"

#include <algorithm>
#include <limits>

#include "step_model.hpp"
#include "topology/balanced_routes.hpp"

namespace cubefold {

namespace {

std::uint64_t most_links_of_a_node(const Grid& grid) {
  if (const RouteTable* table = grid.route_table()) {
    std::size_t most = 0;
    for (std::size_t node = 0; node < grid.node_count(); ++node)
      most = std::max(most, table->first_link(node + 1) - table->first_link(node));
    return most;
  }
  std::uint64_t links = 0;
  for (const Axis& axis : grid.axes()) links += std::min(axis.extent - 1, 2U);
  return links;
}

/// Returns the largest product of blocks that a link has to carry and its tau.
double busiest_link_seconds_per_byte(const Grid& grid, const StepModel& model) {
  if (const RouteTable* table = grid.route_table())
    return all_to_all_bound(grid, table->links(), table->switch_count()) * model.tau(0);
  double most = 0;
  for (int axis = 0; axis < grid.axis_count(); ++axis)
    if (grid.extent(axis) > 1) most = std::max(most, bisection_blocks(grid, axis) * model.tau(axis));
  return most;
}

/// Returns the smallest tau of an axis that has links.
double fastest_tau(const Grid& grid, const StepModel& model) {
  if (grid.route_table() != nullptr) return model.tau(0);
  double least = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < grid.axis_count(); ++axis)
    if (grid.extent(axis) > 1) least = std::min(least, model.tau(axis));
  return least;
}

}  // namespace

double bisection_blocks(const Grid& grid, int axis) {
  const auto extent = static_cast<double>(grid.extent(axis));
  const auto half = grid.extent(axis) / 2;
  const auto lower = static_cast<double>(half);
  const auto plane = static_cast<double>(grid.node_count()) / extent;
  const double links_out_of_a_line = grid.has_wrap_link(axis) ? 2 : 1;
  return lower * (extent - lower) * plane / links_out_of_a_line;
}

std::uint64_t startup_bound(const Grid& grid, Ports ports) {
  const std::uint64_t port_count = ports == Ports::one ? 1 : most_links_of_a_node(grid);
  std::uint64_t startups = 0;
  for (std::uint64_t reached = 1; reached < grid.node_count(); reached *= port_count + 1) ++startups;
  return startups;
}

ExchangeBound complete_exchange_bound(const Grid& grid, std::size_t block_bytes, const StepModel& model) {
  require_fit("complete_exchange_bound", model, grid);
  ExchangeBound bound{};
  if (grid.node_count() == 1) return bound;

  const auto block = static_cast<double>(block_bytes);
  bound.link_seconds = block * busiest_link_seconds_per_byte(grid, model);
  if (model.ports == Ports::one)
    bound.port_seconds = static_cast<double>(grid.node_count() - 1) * block * fastest_tau(grid, model);
  bound.startup_seconds = model.alpha_seconds * static_cast<double>(startup_bound(grid, model.ports));
  bound.barrier_seconds = model.barrier_seconds;
  return bound;
}

}  // namespace cubefold
