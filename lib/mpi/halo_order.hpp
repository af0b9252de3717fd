#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "cubefold/export.h"
#include "cubefold/mpi/virtual_comm.hpp"

namespace cubefold::mpi {

/// The grid of ranks of MPI_Cart_create, whose last axis is the fastest.
struct CartShape {
  std::span<const int> extents;
  std::span<const int> periodic;  ///< not 0 if the ranks at the ends of the axis are neighbours
};

/// Returns whether the grid has exactly as many places as the processes.
CUBEFOLD_API bool has_place_for_all(const CartShape& shape, std::size_t processes);

/// Returns the Cartesian rank of this process that suits a halo exchange, or nothing if its virtual rank suits it as
/// well: on an unknown network, with different numbers of processes on nodes, and where no better placement is found.
/// Requires has_place_for_all(). Does not communicate. All processes find the same placement, in some tenths of a
/// second at most.
CUBEFOLD_API std::optional<int> rank_for_halo(const VirtualComm& comm, const CartShape& shape);

}  // namespace cubefold::mpi
