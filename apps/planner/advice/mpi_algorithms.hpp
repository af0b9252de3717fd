#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cubefold/exchange/method.hpp"
#include "cubefold/topology/grid.hpp"

namespace cubefold::planner {

/// An all-to-all as MPI libraries have it, and its cost.
struct MpiAlgorithm {
  std::string name;
  ExchangeCost cost;
};

/// Returns the all-to-alls of Open MPI and MPICH on a grid, with per_node ranks on each node: rank r runs on node
/// r / per_node. Messages within a node cost nothing.
///
/// - pairwise: in step k = 1 .. p - 1 rank r sends to r + k mod p (Open MPI, and MPICH if p is no power of two)
/// - pairwise-xor: in step k rank r exchanges with r xor k; only if p is a power of two (MPICH)
/// - bruck: ceil(log2 p) messages of at most p / 2 blocks (both)
/// - scattered: the messages of 32 pairwise steps at once (MPICH)
/// - linear: all messages at once (Open MPI)
///
/// A step is counted as simulate_steps() counts it. With several ranks on a node, they share its port, and start-ups
/// are those of the rank that has the most. Costs O(p nodes axes).
std::vector<MpiAlgorithm> mpi_algorithms(const Grid& grid, const NetworkRules& network, std::size_t per_node);

}  // namespace cubefold::planner
