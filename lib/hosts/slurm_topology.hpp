#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// A box of nodes, and its hosts along the axes of the box, axis 0 fastest.
struct SlurmRegion {
  std::vector<std::uint32_t> anchor;  ///< the coordinates of the first host
  Grid box;
  std::string hosts;  ///< in Slurm's syntax for lists
};

/// A torus or ring of Slurm's topology.
struct SlurmNetwork {
  std::string name;
  Grid grid;
  std::vector<SlurmRegion> regions;
  bool sorted_by_name =
      false;  ///< whether the hosts are in the order of names, which says nothing of their places
};

/// Returns the toruses and rings of a text of `scontrol show topology`:
///
///     TorusName=pod1 Dims=4x2x2 Nodes=n[0-15]
///       TorusName=pod1 PlacementDims=2x2x1(4) Anchors=4
///     RingName=r0 Nodes=n[0-7] RingSize=8
///
/// or of topology.yaml, which slurm_topology_yaml.hpp reads, or of both in one text. Slurm 26.05 lists the hosts of a
/// ring in their order, but those of a torus by name. If YAML and a line describe one network, the YAML counts. What is
/// no torus or ring is left out. Throws std::invalid_argument with the line or the name if no network
/// can have its dimensions, and if two descriptions of a network differ in them.
std::vector<SlurmNetwork> slurm_networks(std::string_view topology);

/// Returns whether a text is a topology of Slurm in either form.
bool is_slurm_topology(std::string_view text);

}  // namespace cubefold
