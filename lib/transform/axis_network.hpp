#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "alternatives.hpp"
#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"
#include "cubefold/plan/exchange_plan.hpp"
#include "cubefold/transform/layout.hpp"
#include "program.hpp"

namespace cubefold::fft {

/// Returns the grid of these axes of a grid, or the grid of one node if there are no axes.
Grid grid_of_axes(const Grid& grid, const std::vector<int>& axes);

/// Returns the node of the process with these coordinates on the process axes, which axes_of_grid() makes of the
/// network axes `axes`. Cost O(network axes).
GridNode node_of(const Grid& grid, const std::vector<std::vector<int>>& axes, const Layout::Members& members);

/// Splits the axes of the network into two parts whose numbers of nodes are as near to one another as possible; the
/// first part has no fewer nodes. Every axis is in one of the parts, and each part keeps the order of the axes. Only
/// the first 16 axes may be in the first part. Returns one part if only one axis has more than one node.
std::vector<std::vector<int>> two_parts(const Grid& grid);

/// Returns whether two_parts() returns two parts.
CUBEFOLD_API bool has_pencils(const Grid& grid);

/// Returns the axes of the network grid that each process axis consists of: all of them on one process axis for slabs,
/// and the parts of two_parts() on two process axes for pencils, the second of which may be empty. Requires another
/// decomposition than automatic.
std::vector<std::vector<int>> network_parts(const Grid& grid, Decomposition decomposition);

/// Describes the members of a process axis on their own network axes.
struct AxisNetwork {
  Placement placement;
  ExchangeModel model;
};

/// Returns the cost model of exchanges in the network. Returns nothing without a machine on one host, because times are
/// of no use there.
std::optional<ExchangeModel> model_of(const Network& network);

/// Returns the process axis of all processes in the order of their ranks. Requires that model_of() returns a model.
AxisNetwork network_of_all(const Network& network);

/// Returns the process axes that axes_of_grid() makes; process axis i consists of the network axes axes[i]. Requires
/// that model_of() returns a model.
std::vector<AxisNetwork> networks_of_axes(const Network& network, const std::vector<std::vector<int>>& axes);

/// Returns the sum of the times of plan_exchange() for all exchanges of the program. `axes` describes its process axes.
ExchangeSeconds exchange_seconds(const Program& program, std::size_t point_bytes,
                                 const std::vector<AxisNetwork>& axes);

}  // namespace cubefold::fft
