#pragma once

#include <cstddef>

#include "cubefold/topology/route_table.hpp"

namespace cubefold {

/// Calls visit(number of the link) for every link of the route from one node to another, in the order of the route.
/// Costs O(hops).
template <typename Visit>
void for_each_link_of_route(const RouteTable& table, std::size_t from, std::size_t to, Visit visit) {
  while (from != to) {
    const std::size_t link = table.next_link(from, to);
    visit(link);
    from = table.links()[link].to;
  }
}

}  // namespace cubefold
