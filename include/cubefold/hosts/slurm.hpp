#pragma once

#include <optional>
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

/// Returns the name of the torus or ring on which a host is. Throws std::invalid_argument as map_of_slurm_job() does.
CUBEFOLD_API std::string network_of(const SlurmAddress& address);

/// Returns the hosts of a job on the torus or ring that their addresses name. A host may occur several times with one
/// address. `topology` has the extents of the network: it is the output of `scontrol show topology` or of `scontrol
/// show topoconf`, or Slurm's topology.yaml. If it is empty, the network is a mesh that ends at the largest
/// coordinates, and source() says so.
///
/// Throws std::invalid_argument that names the host and says what to do: if there is no address, as without a topology
/// plug-in; for trees and blocks, whose addresses have no coordinates; for addresses on two networks, or two hosts at
/// one; and if `topology` does not have the network or the coordinates.
CUBEFOLD_API HostMap map_of_slurm_job(std::span<const SlurmAddress> addresses,
                                      std::string_view topology = {});

/// Returns all hosts of a torus or ring in a topology: the one of this name, or the only one. topology.yaml and
/// `scontrol show topoconf` list hosts along the network, axis 0 fastest. Throws std::invalid_argument that says what
/// to do if there is no torus or ring, or if none is named and there are several; for a torus in the output of
/// `scontrol show topology` alone, which lists its hosts by name; and for a torus that lists fewer hosts than it has
/// nodes, since nothing says which nodes lack one.
CUBEFOLD_API HostMap map_of_slurm_topology(std::string_view topology, std::string_view network = {});

/// Returns the name of the torus or ring in a topology that lists a host, or an empty text. Throws as
/// map_of_slurm_topology() does for a text that cannot be read.
CUBEFOLD_API std::string network_of_host(std::string_view topology, std::string_view host);

/// Returns whether a topology has a torus or ring. What cannot be read has none.
CUBEFOLD_API bool has_slurm_networks(std::string_view topology);

/// Returns why a map cannot be true in a job whose hosts have these addresses, with the host, its node and its address,
/// or nothing. Maps may number the axes otherwise, backwards, and from another origin. Hosts without coordinates, hosts
/// with the address of another host, hosts whose address does not follow its pattern, hosts that the map does not have,
/// and networks that are given as hypercubes or by links are not compared.
CUBEFOLD_API std::optional<std::string> contradiction(const HostMap& map,
                                                      std::span<const SlurmAddress> addresses);

/// Returns a line with the first address that has coordinates by its pattern but does not follow it, or nothing.
CUBEFOLD_API std::optional<std::string> unreadable_address(std::span<const SlurmAddress> addresses);

}  // namespace cubefold
