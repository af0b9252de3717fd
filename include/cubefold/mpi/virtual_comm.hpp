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

/// The processes of a communicator seen in two ways: as the nodes of a grid, and as the virtual ranks that a
/// placement puts there. The process with rank n in the given communicator is node n.
///
/// Holds communicators of its own, which return error codes. Their messages never meet messages of the caller's.
class CUBEFOLD_API VirtualComm {
 public:
  /// Collective over an intra-communicator with as many processes as the grid has nodes. parse_grid() and
  /// place() say what the texts may be. Where no grid is given, the environment variable CUBEFOLD_GRID names it;
  /// if that is unset or empty, the grid is a ring of all processes. Where no placement is given,
  /// CUBEFOLD_PLACEMENT names it; if that is unset or empty, the placement is identity. Throws on all processes
  /// alike if anything is wrong on any or if grids or placements differ: std::invalid_argument for the arguments,
  /// Error for MPI. Costs O(log p) messages beyond what MPI needs to make three communicators.
  VirtualComm(MPI_Comm comm, std::optional<std::string_view> grid, std::optional<std::string_view> placement);

  /// Returns the communicator whose ranks are virtual ranks, for the caller's messages. It is freed with this object.
  MPI_Comm virtual_comm() const { return virtual_.get(); }

  /// Returns the Cartesian communicator whose ranks are nodes. MPI counts the last axis fastest and we the first, so
  /// its axis j is our axis c - 1 - j: MPI_Cart_coords gives our coordinates in reverse. It is freed with this object.
  MPI_Comm cart_comm() const { return cart_.get(); }

  const Placement& placement() const { return *placement_; }
  const Grid& grid() const { return placement_->grid(); }

  /// Returns this process's own virtual rank.
  Rank rank() const { return rank_; }

  /// Returns the virtual rank of a node, or the node of a virtual rank. Both are local and O(1), and throw
  /// std::invalid_argument outside 0 .. number of processes - 1.
  int to_virtual(int node) const;
  int to_physical(int virtual_rank) const;

  /// Local. A place for what other modules make once for these processes and share among their users, by name; it goes
  /// with the last of its users. Throws std::bad_alloc for a new name.
  std::weak_ptr<void>& shared(const std::string& name) const { return shared_[name]; }

 private:
  OwnedComm virtual_;
  OwnedComm cart_;
  Rank rank_{};
  std::optional<Placement> placement_;
  mutable std::map<std::string, std::weak_ptr<void>> shared_;
};

}  // namespace cubefold::mpi
