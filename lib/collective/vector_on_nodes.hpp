#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cubefold/embedding/node_sharing.hpp"
#include "cubefold/export.h"
#include "reduction.hpp"

namespace cubefold {

/// Returns the methods that fit a collective where ranks share nodes: those of the network, and each of them with so
/// many more channels that all ranks of a node carry one, if it has at most most_channels.
CUBEFOLD_API std::vector<VectorMethod> vector_methods(VectorCollective collective, const NodeSharing& sharing,
                                                      Ports ports);

/// Returns the number of ranks of each node that send to other nodes: that of the channels, but at most that of the
/// ranks on the node that has fewest. Slot s carries the channels s, s + carrier_count(), and so on.
CUBEFOLD_API std::size_t carrier_count(const VectorMethod& method, const NodeSharing& sharing);

/// Returns the pre- and post-condition of a method where ranks share nodes. The chunks of an allreduce are those of
/// collective_of() for the nodes; the other collectives have chunks for each rank.
CUBEFOLD_API Collective collective_of(VectorCollective collective, const VectorMethod& method,
                                      const NodeSharing& sharing);

/// Returns what each rank sends and receives where ranks share nodes, in three parts:
///
/// - on every node, ranks reduce or gather each channel to the rank that carries it, by a binomial tree: in step k of
///   ceil(log2 c), for c ranks on the node, the rank 2^k slots below takes from a rank what that rank has collected of
///   the channels for which its distance from the carrier is an odd multiple of 2^k;
/// - the carriers of all nodes run their channels by vector_parts() of the groups, all at once;
/// - on every node, the trees distribute the results, in the opposite order.
///
/// A rank sends and receives one message in each step on a node. If every rank carries a channel, no rank reduces more
/// than its share: (c - 1) / c of a vector on the node. A chunk is reduced in one place of each node, so
/// ranks get equal bits where they do without sharing. A reduce-scatter that ends, or an allgather that begins, on the
/// node only moves the chunks of its ranks there. With one rank on each node these are the parts for the groups. Throws
/// as vector_parts().
CUBEFOLD_API ExchangeParts vector_parts(VectorCollective collective, const VectorMethod& method,
                                        const NodeSharing& sharing);

/// Returns the messages of a schedule of ranks that share nodes as messages between their groups, without those that
/// stay on a node. Chunks keep their numbers.
CUBEFOLD_API Schedule between_nodes(const Schedule& schedule, const NodeSharing& sharing);

/// The cost of the steps in which ranks of a node send to each other.
struct NodeVectorCost {
  std::size_t step_count = 0;
  /// Bytes that the busiest rank receives in each step, summed over the steps, over those of the vector.
  double copied_vectors = 0;
  /// The part of them that it reduces.
  double reduced_vectors = 0;
};

/// Returns the costs on the node that has most ranks, for blocks of equal size. Costs O(c channels log c).
CUBEFOLD_API NodeVectorCost node_vector_cost(VectorCollective collective, const VectorMethod& method,
                                             const NodeSharing& sharing);

}  // namespace cubefold
