#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hosts/fabric_grid.hpp"
#include "hosts/fabric_routes.hpp"

namespace cubefold::planner {

/// How an all-to-all of all hosts uses the links between switches under some routes.
struct RoutesReport {
  std::string name;                       ///< of the routes
  std::uint64_t messages;                 ///< on the busiest link
  std::optional<FabricLink> busiest;      ///< nothing if no message uses a link
  std::vector<std::uint32_t> cycle = {};  ///< the switches of a cycle of dependent links
};

/// Holds the results of `cubefold fabric`.
struct FabricReport {
  Fabric fabric;
  std::optional<FabricGrid> found;
  std::string reason;  ///< why it was not recognised
  std::vector<RoutesReport> routes;
};

/// Counts messages on links and looks for a cycle. Throws what use_of_links() throws.
RoutesReport report_of_routes(const Fabric& fabric, std::string name, const FabricRoutes& routes);

/// Returns the lines for people: network, bound, busiest links, cycles.
std::string fabric_text(const FabricReport& report);

nlohmann::ordered_json fabric_json(const FabricReport& report);

}  // namespace cubefold::planner
