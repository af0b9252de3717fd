#pragma once

#include <string>

#include "hosts/fabric_grid.hpp"

namespace cubefold::planner {

/// Returns the file for `opensm -R dor -O FILE`: for each switch its GUID and its ports in the order of the axes.
std::string port_order_text(const Fabric& fabric, const FabricGrid& found);

/// Returns the file for `opensm -Q -R torus-2QoS --torus_config FILE`: the extents, and the cables of one switch that
/// show the directions of the axes. The switch is at coordinate 0 of all open axes. Throws std::invalid_argument unless
/// the grid has 2 or 3 axes, and if no switch has all the cables.
std::string torus_2qos_text(const Fabric& fabric, const FabricGrid& found);

}  // namespace cubefold::planner
