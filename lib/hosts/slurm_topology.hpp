#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// A torus or ring of `scontrol show topology`.
struct SlurmNetwork {
  std::string name;
  Grid grid;
  std::string hosts;  ///< in Slurm's syntax for lists
};

/// Returns the toruses and rings of a text of `scontrol show topology`:
///
///     TorusName=pod1 Dims=4x2x2 Nodes=n[0-15]
///     RingName=r0 Nodes=n[0-7] RingSize=8
///
/// Other lines are left out. Throws std::invalid_argument with the line if no network can have its dimensions.
std::vector<SlurmNetwork> slurm_networks(std::string_view topology);

}  // namespace cubefold
