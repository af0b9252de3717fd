#pragma once

#include <mpi.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/mpi/owned_comm.hpp"
#include "cubefold/topology/grid.hpp"

namespace cubefold::mpi {

/// The processes of a communicator as the nodes of a grid, and as the virtual ranks that a placement puts on these
/// nodes. The process with rank n in the given communicator is node n.
///
/// It has its own communicators, which return error codes. Their messages never match messages of the caller's
/// communicators.
class CUBEFOLD_API VirtualComm {
 public:
  /// Collective: makes the communicators from an intra-communicator with as many processes as the grid has nodes.
  /// parse_grid() and place() read the texts. If no grid is given, the environment variable CUBEFOLD_GRID names it; if
  /// that is unset or empty, the grid is a ring of all processes. If no placement is given, CUBEFOLD_PLACEMENT names
  /// it; if that is unset or empty, the placement is identity. If anything is wrong on one process, or if grids or
  /// placements differ, all processes throw: std::invalid_argument for the arguments, Error if MPI fails. Costs O(log
  /// p) messages besides those of MPI for three communicators.
  VirtualComm(MPI_Comm comm, std::optional<std::string_view> grid, std::optional<std::string_view> placement);

  /// Returns the communicator whose ranks are virtual ranks, for the caller's messages. It is freed with this object.
  MPI_Comm virtual_comm() const { return virtual_.get(); }

  /// Returns the Cartesian communicator whose ranks are nodes. MPI counts the last axis fastest and cubefold the first,
  /// so its axis j is axis c - 1 - j of the grid: MPI_Cart_coords gives cubefold's coordinates in reverse. It is freed
  /// with this object.
  MPI_Comm cart_comm() const { return cart_.get(); }

  const Placement& placement() const { return *placement_; }
  const Grid& grid() const { return placement_->grid(); }

  /// Returns the virtual rank of this process.
  Rank rank() const { return rank_; }

  /// These return the virtual rank of a node, and the node of a virtual rank. They do not communicate, cost O(1), and
  /// throw std::invalid_argument outside 0 .. number of processes - 1.
  int to_virtual(int node) const;
  int to_physical(int virtual_rank) const;

  /// Returns the entry of a name in a table of objects that other modules make once for these processes and share. An
  /// object is destroyed with the last of its users. Does not communicate. Throws std::bad_alloc if there is no memory
  /// for a new name.
  std::weak_ptr<void>& shared(const std::string& name) const { return shared_[name]; }

 private:
  OwnedComm virtual_;
  OwnedComm cart_;
  Rank rank_{};
  std::optional<Placement> placement_;
  mutable std::map<std::string, std::weak_ptr<void>> shared_;
};

}  // namespace cubefold::mpi
