#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/message_of.hpp"
#include "topology/network_resource.hpp"

namespace cubefold {
namespace {

GridNode node(std::uint32_t number) {
  return GridNode{number};
}

TEST(NetworkResource, has_names_for_nodes_slots_axes_and_planes) {
  EXPECT_EQ(resource_names(parse_grid("torus:4x3x2")),
            (std::vector<std::string>{"node", "slot", "axis/0", "axis/1", "axis/2", "plane/0-1", "plane/0-2",
                                      "plane/1-2"}));
  EXPECT_EQ(resource_names(parse_grid("ring:5")), (std::vector<std::string>{"node", "slot", "axis/0"}));
}

/// Returns whether the coordinates of two nodes are equal on all axes but these.
bool are_equal_elsewhere(const Grid& grid, GridNode a, GridNode b, const std::set<int>& axes) {
  for (int axis = 0; axis < grid.axis_count(); ++axis)
    if (!axes.contains(axis) && grid.coordinate(a, axis) != grid.coordinate(b, axis)) return false;
  return true;
}

TEST(NetworkResource, is_shared_by_nodes_that_differ_on_its_axes_alone) {
  const std::map<std::string, std::set<int>> axes{
      {"node", {}},          {"axis/0", {0}},       {"axis/1", {1}},      {"axis/2", {2}},
      {"plane/0-1", {0, 1}}, {"plane/0-2", {0, 2}}, {"plane/1-2", {1, 2}}};
  for (const char* name : {"torus:4x3x2", "mesh:2x2x5", "hyperx:3x2x2", "hypercube:3"}) {
    const Grid grid = parse_grid(name);
    for (const auto& [resource, free_axes] : axes) {
      for (std::uint32_t a = 0; a < grid.node_count(); ++a) {
        const std::size_t number = resource_number(grid, {node(a), 0}, resource);
        EXPECT_LT(number, grid.node_count());
        for (std::uint32_t b = 0; b < grid.node_count(); ++b) {
          EXPECT_EQ(number == resource_number(grid, {node(b), 7}, resource),
                    are_equal_elsewhere(grid, node(a), node(b), free_axes))
              << name << " " << resource << " " << a << " " << b;
        }
      }
    }
  }
}

TEST(NetworkResource, of_a_slot_is_the_number_of_the_slot) {
  EXPECT_EQ(resource_number(parse_grid("ring:5"), {node(3), 2}, "slot"), 2U);
}

TEST(NetworkResource, of_another_name_is_refused_with_the_rule) {
  for (const std::string name :
       {"axis/2", "axis/", "axis/-1", "axis/01", "plane/1-0", "plane/0-0", "plane/0-2", "Node", ""}) {
    EXPECT_EQ(message_of([&] {
                resource_number(parse_grid("torus:4x3"), {node(0), 0}, name);
              }),
              "resource '" + name +
                  "' of torus:4x3 is not node, slot, axis/K or plane/K-L with axes K < L below 2");
  }
}

}  // namespace
}  // namespace cubefold
