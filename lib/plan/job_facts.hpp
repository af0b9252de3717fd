#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "cubefold/embedding/node_sharing.hpp"
#include "cubefold/embedding/placement.hpp"
#include "cubefold/simulation/machine.hpp"
#include "cubefold/topology/grid.hpp"
#include "requested_exchange.hpp"

namespace cubefold {

/// The facts about a job that decide how its processes exchange blocks. They are the same on all processes.
struct JobFacts {
  /// The placement of the ranks on a grid that has a node for every rank.
  Placement placement;
  /// Is set if ranks share the nodes of the network.
  std::optional<NodeSharing> sharing = {};
  bool knows_network = true;
  /// The source of the network, or the reason why nothing is known of it.
  std::string source = {};
  /// True if ranks share nodes and those of every node are on one host.
  bool are_groups_on_hosts = false;
  std::size_t host_count = 1;
  /// The machine of network(), if it was measured.
  std::optional<Machine> machine = {};
  ExchangeRequests requests = {};
  /// The ports that exchanges are planned for where there are no measured times.
  Ports ports = Ports::one;

  /// Returns what is known of the queues: what the user says, or else the machine file.
  Queues queues() const {
    return requests.queues == Queues::unknown && machine ? machine->queues : requests.queues;
  }

  /// Returns the least number of measured rounds: what the user says, or else none if a machine file has the times of
  /// MPI's exchanges, with which predictions can be compared, and 3 otherwise. A file has no times of shared nodes.
  std::size_t round_count() const {
    const bool has_times = machine && !sharing && !machine->plain_exchanges.empty();
    return requests.round_count.value_or(has_times ? 0 : 3);
  }

  const Grid& network() const { return sharing ? sharing->network() : placement.grid(); }
};

}  // namespace cubefold
