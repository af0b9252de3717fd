#pragma once

#include <nlohmann/json_fwd.hpp>

#include "hosts/fabric_grid.hpp"
#include "hosts/fabric_routes.hpp"

namespace cubefold::planner {

/// Returns the fabric with its routes as a network file, whose format docs/exchange.md has. The hosts are its nodes, in
/// the order of `cubefold discover` if the fabric was recognised (`found` is not null), and else by name. The switches
/// are its switches, unless each has exactly one host: then the host stands for its switch. Rates are numbers of
/// cables. Throws std::invalid_argument for more nodes and switches than a route table has, and for a switch from
/// where no route leads to a host.
nlohmann::ordered_json network_json(const Fabric& fabric, const FabricGrid* found,
                                    const FabricRoutes& routes);

}  // namespace cubefold::planner
