#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/mpi/virtual_comm.hpp"
#include "cubefold/plan/phase.hpp"

namespace cubefold::mpi {

/// The grid of ranks of MPI_Cart_create, whose last axis is the fastest.
struct CartShape {
  std::span<const int> extents;
  std::span<const int> periodic;  ///< not 0 if the ranks at the ends of the axis are neighbours
};

/// Returns whether the grid has exactly as many places as the processes.
CUBEFOLD_API bool has_place_for_all(const CartShape& shape, std::size_t processes);

/// Returns a new rank for each virtual rank, so that these phases between the new ranks suit the network better, or
/// nothing if they suit it as well between the virtual ranks: on an unknown network, with different numbers of
/// processes on nodes, and where no better placement is found. Does not communicate. All processes find the same ranks,
/// in some tenths of a second at most. Throws std::invalid_argument for phases that evaluate() refuses.
CUBEFOLD_API std::optional<std::vector<int>> suited_ranks(const VirtualComm& comm,
                                                          const std::vector<Phase>& phases);

/// Returns the Cartesian rank of this process that suits a halo exchange, or nothing where suited_ranks() does.
/// Requires has_place_for_all().
CUBEFOLD_API std::optional<int> rank_for_halo(const VirtualComm& comm, const CartShape& shape);

}  // namespace cubefold::mpi
