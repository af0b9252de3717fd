#pragma once

#include <mpi.h>

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cubefold/embedding/node_sharing.hpp"
#include "cubefold/embedding/placement.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/mpi/owned_comm.hpp"
#include "cubefold/topology/grid.hpp"

namespace cubefold::mpi {

struct Hints;
struct JobNodes;

/// The processes of a communicator on the nodes of a network, and the virtual ranks that a placement gives them. A node
/// may have several processes, which take its slots, and processes may be on the nodes in any order.
///
/// It has its own communicators, which return error codes. Their messages never match messages of the caller's
/// communicators.
class CUBEFOLD_API VirtualComm {
 public:
  /// Collective: makes the communicators from an intra-communicator. parse_grid() and place() read the texts.
  /// - If no grid is given, or `auto`, the environment variable CUBEFOLD_GRID names it. If that is unset, empty or
  ///   `auto`, the grid is the part of a network that the job has: in the host map that CUBEFOLD_HOSTS names; in the
  ///   site's map, etc/cubefold/hosts.json, if it has all hosts; or by Slurm's addresses. Otherwise the network is
  ///   unknown.
  /// - If no placement is given, CUBEFOLD_PLACEMENT names it; if that is unset or empty, it is `identity`.
  ///
  /// A grid that is named has either as many nodes as there are processes, and process n is node n; or one node for
  /// each host, and the hosts are its nodes in the order of their lowest processes. If all processes are on one host,
  /// every node gets an equal number of consecutive processes.
  ///
  /// If anything is wrong on one process, or if grids or placements differ, all processes throw: std::invalid_argument
  /// for the arguments, Error if MPI fails. Takes O(p) memory for more than one process on a node or a host map, as MPI
  /// does for three communicators.
  VirtualComm(MPI_Comm comm, std::optional<std::string_view> grid, std::optional<std::string_view> placement);

  /// Collective: makes the communicators with the grid and the placement of the hints, and keeps the hints for
  /// exchanges and transforms, as cubefold_comm_create_with_info() says. Throws as the other constructor, and
  /// std::invalid_argument on all processes if hints differ or break a rule.
  VirtualComm(MPI_Comm comm, MPI_Info hints);

  /// Collective: makes the communicators for processes of which each knows its node. A node may have any number of
  /// processes. network() leaves out those that have none, and has the hosts that share a node as nodes of their own,
  /// as network_of_hosts() does. Throws as the constructor, and std::invalid_argument on all processes if a node is not
  /// one of the network.
  static VirtualComm on_nodes(MPI_Comm comm, const Grid& network, GridNode own_node,
                              std::string_view placement = "identity");

  /// Collective: makes the communicators for the processes of a job whose nodes are known. Throws as the constructor.
  static VirtualComm of_job(MPI_Comm comm, const JobNodes& job, std::string_view placement,
                            std::shared_ptr<const Hints> hints = nullptr);

  /// Returns the processes of a job as process number `process` knows them, with this communicator, or none, as
  /// virtual_comm(), and none as cart_comm(). Each process must pass the same job and placement. Does not communicate.
  /// Throws std::invalid_argument as the constructor.
  static VirtualComm of_process(const JobNodes& job, const std::string& placement, std::size_t process,
                                OwnedComm&& virtual_comm = {});

  /// Collective: makes communicators of its own for the same processes, nodes and ranks.
  VirtualComm duplicate() const;

  /// Returns the communicator whose ranks are virtual ranks, for the caller's messages. It is freed with this object.
  MPI_Comm virtual_comm() const { return virtual_.get(); }

  /// Returns the Cartesian communicator of grid(), whose ranks are its nodes. MPI counts the last axis fastest and
  /// cubefold the first, so its axis j is axis c - 1 - j of the grid: MPI_Cart_coords gives cubefold's coordinates in
  /// reverse. It is freed with this object.
  MPI_Comm cart_comm() const { return cart_.get(); }

  /// Returns the placement of the ranks on grid(), which has a node for every process. Where nodes of the network have
  /// several processes, that is slot_placement(): its axis 0 counts the slots of a node.
  const Placement& placement() const { return *placement_; }
  const Grid& grid() const { return placement_->grid(); }

  /// Returns which ranks share the nodes of the network, or nullptr if every node has one rank.
  const NodeSharing* sharing() const { return sharing_.get(); }

  /// Returns the network, which is grid() if every node has one rank.
  const Grid& network() const { return sharing_ ? sharing_->network() : grid(); }

  /// Returns false if nothing is known of the network. grid() is then a line of all processes, which says nothing of
  /// links.
  bool knows_network() const { return knows_network_; }

  /// Returns a text that names the source of the network and its nodes, or the reason why nothing is known.
  const std::string& source() const { return source_; }

  /// Returns a line that says what was ignored when the network was found, or an empty text.
  const std::string& remark() const { return remark_; }

  /// Returns the hints that the communicators were made with, or null.
  const std::shared_ptr<const Hints>& hints() const { return hints_; }

  /// Returns the virtual rank of this process.
  Rank rank() const { return rank_; }

  /// These return the virtual rank on a node of grid(), and the node of a virtual rank. They do not communicate, cost
  /// O(1), and throw std::invalid_argument outside 0 .. number of processes - 1.
  int to_virtual(int node) const;
  int to_physical(int virtual_rank) const;

  /// Returns the entry of a name in a table of objects that other modules make once for these processes and share. An
  /// object is destroyed with the last of its users. Does not communicate. Throws std::bad_alloc if there is no memory
  /// for a new name.
  std::weak_ptr<void>& shared(const std::string& name) const { return shared_[name]; }

 private:
  VirtualComm() = default;
  void make_named(MPI_Comm base, std::optional<std::string_view> grid,
                  std::optional<std::string_view> placement);
  void make(MPI_Comm base, const JobNodes& job, const std::string& placement_text);
  std::string place_processes(const JobNodes& job, const std::string& placement_text, std::size_t process);

  OwnedComm virtual_;
  OwnedComm cart_;
  Rank rank_{};
  std::optional<Placement> placement_;
  std::shared_ptr<const NodeSharing> sharing_;
  bool knows_network_ = true;
  std::string source_;
  std::string remark_;
  std::shared_ptr<const Hints> hints_;
  mutable std::map<std::string, std::weak_ptr<void>> shared_;
};

/// Returns the nodes of the processes in a few words, such as "torus:4x4", "4 ranks on each node of torus:4x4" or
/// "unknown network".
CUBEFOLD_API std::string nodes_text(const VirtualComm& comm);

/// Returns the rule that places the ranks on the nodes of the network, or the groups of ranks that share nodes.
CUBEFOLD_API std::string placement_text(const VirtualComm& comm);

}  // namespace cubefold::mpi
