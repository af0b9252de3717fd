#pragma once

#include <string_view>
#include <vector>

#include "slurm_topology.hpp"

namespace cubefold {

/// Returns whether a text is Slurm's topology.yaml or the output of `scontrol show topoconf`.
bool is_slurm_topology_yaml(std::string_view text);

/// Returns the toruses and rings of such a text:
///
///     - topology: t
///       torus3d:
///         toruses:
///           - name: pod1
///             dims: {x: 4, y: 2, z: 2}
///             nodes: n[0-15]
///     - topology: u
///       ring:
///         rings:
///           - ring: r0
///             nodes: m[0-7]
///
/// In place of `nodes`, a torus may have `regions` with `anchor`, `dims` and `nodes` each. Other topologies, and
/// members that are empty, are left out. Throws std::invalid_argument with the line of what is no YAML, or with the
/// member that is wrong. Aliases and more than 16 levels are refused.
std::vector<SlurmNetwork> networks_of_slurm_yaml(std::string_view text);

}  // namespace cubefold
