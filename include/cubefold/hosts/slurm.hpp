#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cubefold/export.h"
#include "cubefold/hosts/host_map.hpp"

namespace cubefold {

/// Holds what Slurm tells the tasks of one host: SLURM_TOPOLOGY_ADDR, as `pod1:2:1:0.n6`, and
/// SLURM_TOPOLOGY_ADDR_PATTERN, as `torus:x:y:z.node`.
struct SlurmAddress {
  std::string host;  ///< the name that the map gives to the host
  std::string address;
  std::string pattern;
};

/// Returns the hosts of a job on the torus or ring that their addresses name. A host may occur several times with one
/// address. `topology` is the output of `scontrol show topology`, which has the extents of the network. If it is empty,
/// the network is a mesh that ends at the largest coordinates, and source() says so.
///
/// Throws std::invalid_argument that names the host and says what to do: if there is no address, as without a topology
/// plug-in; for trees and blocks, whose addresses have no coordinates; for addresses on two networks, or two hosts at
/// one; and if `topology` does not have the network or the coordinates.
CUBEFOLD_API HostMap map_of_slurm_job(std::span<const SlurmAddress> addresses,
                                      std::string_view topology = {});

/// Returns all hosts of the only torus or ring in the output of `scontrol show topology`. Slurm places the listed hosts
/// along the network, axis 0 fastest. Throws std::invalid_argument that says what to do if there is no torus or ring,
/// or more than one, and for a torus that lists fewer hosts than it has nodes, since nothing says which nodes lack one.
CUBEFOLD_API HostMap map_of_slurm_topology(std::string_view topology);

}  // namespace cubefold
