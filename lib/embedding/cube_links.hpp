#pragma once

#include "cubefold/embedding/placement.hpp"

namespace cubefold {

/// Calls visit(dimension, node of the lower rank, node of the higher rank) for every undirected cube link, dimension by
/// dimension.
template <typename Visit>
void for_each_cube_link(const Placement& placement, Visit visit) {
  const int dimensions = dimension_count(placement);
  const auto nodes = node_of_rank(placement);
  for (int i = 0; i < dimensions; ++i) {
    const auto bit = std::size_t{1} << i;
    for (std::size_t r = 0; r < nodes.size(); ++r) {
      if ((r & bit) == 0) visit(i, nodes[r], nodes[r | bit]);
    }
  }
}

}  // namespace cubefold
