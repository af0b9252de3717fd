#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "alternatives.hpp"
#include "cubefold/embedding/placement.hpp"
#include "cubefold/plan/exchange_plan.hpp"
#include "cubefold/transform/layout.hpp"
#include "program.hpp"

namespace cubefold::fft {

/// Returns the grid of these axes of a grid; one node where there are none.
Grid grid_of_axes(const Grid& grid, const std::vector<int>& axes);

/// Returns the node of the process with these members of process axes, as axes_of_grid() counts them. Cost O(network
/// axes).
GridNode node_of(const Grid& grid, const std::vector<std::vector<int>>& axes, const Layout::Members& members);

/// Returns the network's axes in two parts whose products of extents are as near to one another as can be; the first
/// has no fewer processes. Axes of extent 1 and more stay in order. One part where only one axis has more than one
/// node.
std::vector<std::vector<int>> two_parts(const Grid& grid);

/// Returns which axes of the network grid are process axis 0 and 1. Requires another decomposition than automatic.
std::vector<std::vector<int>> network_parts(const Grid& grid, Decomposition decomposition);

/// The members of a process axis on the network axes that are theirs.
struct AxisNetwork {
  Placement placement;
  ExchangeModel model;
};

/// Returns nothing where times are of no use: on one host that nothing is known of.
std::optional<ExchangeModel> model_of(const Network& network);

/// Returns all processes in one row, in the order of their ranks. Requires model_of().
AxisNetwork network_of_all(const Network& network);

/// Returns process axis i as axes_of_grid() makes it of the network axes axes[i]. Requires model_of().
std::vector<AxisNetwork> networks_of_axes(const Network& network, const std::vector<std::vector<int>>& axes);

/// Adds up plan_exchange() of all exchanges of the program.
ExchangeSeconds exchange_seconds(const Program& program, std::size_t point_bytes,
                                 const std::vector<AxisNetwork>& axes);

}  // namespace cubefold::fft
