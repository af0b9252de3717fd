#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route_table.hpp"

namespace cubefold {

/// Says that the links lead from one node to another by no way.
class CUBEFOLD_API NoWay : public std::invalid_argument {
 public:
  NoWay(std::uint32_t from, std::uint32_t to);

  std::uint32_t from() const { return from_; }
  std::uint32_t to() const { return to_; }

 private:
  std::uint32_t from_;
  std::uint32_t to_;
};

/// Returns a lower bound of the messages on the busiest link, divided by its rate, when every node sends one message to
/// every other node by any routes. It is the largest of these quotients: the sum of all distances over the sum of all
/// rates; and for some sets of vertices the number of pairs whose message leaves the set over the rates of the links
/// that do. The sets are the vertices that are at least so many hops away from a node, for each number and node, and
/// those whose coordinate on an axis of `nodes` is at least so large. A switch counts as having the coordinates of the
/// first node that has a link to it. Costs O(nodes * links). Requires links that connect all nodes.
CUBEFOLD_API double all_to_all_bound(const Grid& nodes, const std::vector<TableLink>& links,
                                     std::size_t switch_count = 0);

/// Takes the links in any order. Returns them in order, with routes that spread the messages of an all-to-all over
/// them: the load of the busiest link is near all_to_all_bound(), but routes may be longer than the shortest. Each
/// round finds the routes to one destination after the other as cheapest paths, where a link is the dearer the more
/// messages to other destinations use it. The best of all rounds is returned, and it is the same on all machines.
/// Takes two seconds at most on a core of 2020. Throws NoWay if some node cannot be reached from another one, and
/// std::invalid_argument if nodes * links are more than 2e7, and for links that RouteTable refuses.
CUBEFOLD_API RouteTable balanced_routes(const Grid& nodes, std::vector<TableLink> links,
                                        std::size_t switch_count = 0);

}  // namespace cubefold
