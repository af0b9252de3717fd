#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// A host of a machine, and the node of the network on which it sits.
struct Host {
  std::string name;
  GridNode node;
  std::size_t slots = 0;  ///< the number of processes that the host takes, or 0 if it is not known

  bool operator==(const Host&) const = default;
};

/// Says which hosts sit on which nodes of a network. Nodes without a host belong to others or are down; their links may
/// carry messages all the same. A node may have several hosts, as a switch of an InfiniBand torus has.
class CUBEFOLD_API HostMap {
 public:
  /// `source` says where the knowledge comes from, as "SLURM_TOPOLOGY_ADDR" or "the file hosts.txt". Throws
  /// std::invalid_argument, with the host, its node and the source, for a name that is empty or has other characters
  /// than the printable ones of ASCII without the blank, a name that occurs twice, a node that the network does not
  /// have, and for no hosts at all. Costs O(h log h) for h hosts.
  HostMap(Grid network, std::vector<Host> hosts, std::string source);

  const Grid& network() const { return network_; }
  const std::string& source() const { return source_; }

  /// Returns the hosts by ascending node, and those of one node in the order in which they were given.
  const std::vector<Host>& hosts() const { return hosts_; }

  /// Returns the host of this name, without regard to case. If there is none, returns the only host whose name is the
  /// same up to the first dot, since one source may give short names and another one fully qualified names; two fully
  /// qualified names that differ are different hosts. Returns nullptr if there is no such host, or more than one. Costs
  /// O(log h).
  const Host* find(std::string_view name) const;

  bool operator==(const HostMap&) const = default;

 private:
  Grid network_;
  std::vector<Host> hosts_;
  std::string source_;
  std::vector<std::size_t> by_name_;  ///< positions in hosts_, in the order of names
};

/// The part of a network on which a job runs.
struct NetworkPart {
  /// The network as far as messages between the job's nodes use it. An axis on which the nodes span less than half of a
  /// ring becomes an open axis of that length, since shortest routes stay inside. A ring of which more is used stays
  /// whole, and so does a network with a route table. Axes of extent 1 are left out unless no other axis is left.
  Grid grid;
  /// The node of `grid` for each given node of the network, in the given order.
  std::vector<GridNode> nodes;
};

/// Returns the part of the network that a job with these nodes uses. Nodes may be given several times. Throws
/// std::invalid_argument for no nodes. Costs O(axes * nodes * log nodes).
CUBEFOLD_API NetworkPart part_of(const Grid& network, std::span<const GridNode> nodes);

/// Returns the network whose nodes are the hosts of a job, of which host_count[n] are on node n of a grid. It is the
/// grid itself if every node has one host, without_nodes() of the grid if some have none, and with_hosts() if some have
/// several. Hosts are numbered by ascending nodes. Throws std::invalid_argument, and costs, as these do.
CUBEFOLD_API Grid network_of_hosts(const Grid& grid, std::span<const std::uint32_t> host_count);

/// Reads and writes a host map as JSON. docs/real-machines.md has the format:
///
///     {"format_version": 1, "network": "torus:4x4", "source": "...",
///      "hosts": [{"name": "n0", "at": [0, 0], "slots": 4}, ...]}
///
/// `at` has the coordinates, axis 0 first, or for networks with a route table the number of the node. `slots` may be
/// missing. Reading throws std::invalid_argument with the member that is wrong, or the byte at which the text is not
/// JSON. Besides the network, it needs at most 100 times the size of the text.
CUBEFOLD_API HostMap parse_host_map(std::string_view text);
CUBEFOLD_API HostMap read_host_map(const std::string& path);
CUBEFOLD_API std::string to_json(const HostMap& map);

}  // namespace cubefold
