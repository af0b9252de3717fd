#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/topology/route.hpp"
#include "fabric_routes.hpp"
#include "grid_recognition.hpp"

namespace cubefold {

/// The grid as which the switches of a fabric are cabled.
struct FabricGrid {
  Grid grid;  ///< with all its cables
  std::vector<GridNode> node_of_switch;
  std::vector<std::uint32_t> switch_of_node;
  std::vector<GraphEdge> missing;  ///< cables of the grid that the fabric lacks, as pairs of switches
};

/// Recognises the fabric as a grid with this name, or with its usual one. The switch of the host whose name comes first
/// is at the origin of the rings. Throws std::invalid_argument for a fabric without hosts or without a cable between
/// switches; for a fat tree, unless a grid is wanted as which it is cabled, too; for what require_hosts() refuses; for
/// a fabric that is no grid, with the cables that contradict each other; and for another grid than the wanted one.
CUBEFOLD_API FabricGrid grid_of_fabric(const Fabric& fabric, const std::optional<Grid>& wanted);

/// Returns the grid without the cables that are missing. Throws std::invalid_argument if it then has too many nodes for
/// a route table.
CUBEFOLD_API Grid network_of(const FabricGrid& found);

/// Returns the least load of the busiest cable in an all-to-all of all hosts, whatever the routes: the greatest number
/// of messages out of a part of the fabric, divided by its cables and rounded up. The parts are the lines of
/// consecutive coordinates on one axis. On a whole mesh, torus or hypercube with equally many hosts on each switch, it
/// is the bound by bisections of docs/simulation.md. Costs O(sum of squared extents + cables).
CUBEFOLD_API std::uint64_t least_busiest_load(const Fabric& fabric, const FabricGrid& found);

/// Returns for each switch its ports towards other switches in the order of the axes, as the routing engine `dor` of
/// OpenSM wants them. Where both ways round a ring are equally long, the order decides which one messages take: the
/// ports upwards come first at even coordinates, those downwards at odd ones.
CUBEFOLD_API PortOrder ports_by_axis(const Fabric& fabric, const FabricGrid& found);

/// Returns the switch next to another one on an axis. Returns nothing beyond an open end.
CUBEFOLD_API std::optional<std::uint32_t> switch_along(const FabricGrid& found, std::uint32_t from, int axis,
                                                       Direction direction);

}  // namespace cubefold
