#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"
#include "cubefold/topology/route.hpp"

/// What a placement makes of a hypercube, by enumeration of all cube links: each function costs O(d 2^d)
/// routes or distances and throws std::invalid_argument if the ranks are no power of two. Names after [Xor]
/// section 4.
namespace cubefold {

/// Dilation (hops between the two nodes of a cube link) -> number of undirected cube links that have it.
CUBEFOLD_API std::map<std::uint32_t, std::uint64_t> dilation_spectrum(const Placement& placement);

/// Per cube dimension the dilation that all its links share; nothing for a dimension whose links differ.
CUBEFOLD_API std::vector<std::optional<std::uint32_t>> constant_distances(const Placement& placement);

/// Cube links that begin, end or pass through a node.
struct NodeLoad {
  std::uint64_t maximum;
  std::uint64_t minimum;
  double average;
};

/// A cube link is counted once, on the balanced route from its lower rank to its higher one.
CUBEFOLD_API NodeLoad node_load(const Placement& placement);

/// Messages on the busiest directed link while every rank exchanges with its neighbour in each of the
/// dimensions.
CUBEFOLD_API std::uint64_t busiest_link(const Placement& placement, std::span<const int> dimensions, Tie tie);

}  // namespace cubefold
