#include "planner/planning/switched_network.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "cubefold/topology/grid.hpp"

namespace cubefold::planner {

namespace {

constexpr const char* about_fat_trees =
    "messages spread over the equal paths of a fat tree, and MPI's algorithms already take the time of a "
    "link.";
constexpr const char* about_dragonflies =
    "the switches of a dragonfly route adaptively, so no schedule keeps messages off the same links.";
constexpr const char* about_switches =
    "behind one switch every host has a link of its own, and MPI's algorithms already take its time.";

struct Switched {
  std::string_view name;
  const char* reason;
};

constexpr std::array<Switched, 9> known{{{"fat-tree", about_fat_trees},
                                         {"fattree", about_fat_trees},
                                         {"fat_tree", about_fat_trees},
                                         {"clos", about_fat_trees},
                                         {"dragonfly", about_dragonflies},
                                         {"dragonfly+", about_dragonflies},
                                         {"switch", about_switches},
                                         {"one-switch", about_switches},
                                         {"crossbar", about_switches}}};

}  // namespace

std::optional<std::string> nothing_to_gain(const std::string& network) {
  const std::string_view name = std::string_view(network).substr(0, network.find(':'));
  for (const Switched& each : known)
    if (each.name == name) return fmt::format("Nothing is to be gained: {}", each.reason);
  return std::nullopt;
}

void check_grid_or_switched(const std::string& network) {
  if (!nothing_to_gain(network)) parse_grid(network);
}

}  // namespace cubefold::planner
