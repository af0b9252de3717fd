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
};

/// Returns the toruses and rings of a text of `scontrol show topology`:
///
///     TorusName=pod1 Dims=4x2x2 Nodes=n[0-15]
///     RingName=r0 Nodes=n[0-7] RingSize=8
///
/// or of topology.yaml, which slurm_topology_yaml.hpp reads. What is no torus or ring is left out. Throws
/// std::invalid_argument with the line or the name if no network can have its dimensions.
std::vector<SlurmNetwork> slurm_networks(std::string_view topology);

}  // namespace cubefold
