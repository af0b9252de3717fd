#pragma once

#include <array>
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

/// The process axes of an array, each with the network axes that it consists of.
struct ProcessParts {
  std::vector<std::vector<int>>
      axes;  ///< empty if process axis 0 has the columns of ranks, and axis 1 the rows
  std::vector<std::size_t> extents;  ///< number of members of each process axis
};

/// Returns the process axes of network_parts(), or of a process grid unless both of its numbers are 0. Throws
/// std::invalid_argument if the process grid does not have the processes of the network, or if its numbers are no
/// products of extents of the axes of a network that has several.
ProcessParts process_parts(const Network& network, Decomposition decomposition,
                           const std::array<std::size_t, 2>& process_grid);

/// Returns the process grid with the number that follows from the number of processes. Throws std::invalid_argument
/// unless it has all of them.
std::array<std::size_t, 2> whole_process_grid(const std::array<std::size_t, 2>& process_grid,
                                              std::size_t process_count);

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

/// Returns the process axes that axes_of_grid() or axes_of_ranks() make. Requires that model_of() returns a model.
std::vector<AxisNetwork> networks_of_axes(const Network& network, const ProcessParts& parts);

/// Returns the sum of the times of plan_exchange() for all exchanges of the program. `axes` describes its process axes.
ExchangeSeconds exchange_seconds(const Program& program, std::size_t point_bytes,
                                 const std::vector<AxisNetwork>& axes);

}  // namespace cubefold::fft
