#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/topology/grid.hpp"
#include "planner/launchers/hosts.hpp"
#include "planner/text/lines.hpp"

/// Files that tell launchers which rank starts where, each a value as text. One file a family of formats.
namespace cubefold::planner {

/// | format             | body                                                       | used by                           |
/// |--------------------|------------------------------------------------------------|-----------------------------------|
/// | `rankfile`         | `rank N=HOST slot=LIST`                                    | Open MPI                          |
/// | `seq`              | host of rank k on line k                                   | Open MPI                          |
/// | `mpich_rank_order` | the ranks of node 0, then those of node 1, ...             | Cray MPICH                        |
/// | `slurm_hostfile`   | host of rank k on line k                                   | Slurm                             |
/// | `vcoord`           | `(x,y,z)` of rank k on line k                              | Fujitsu                           |
/// | `bgq`              | coordinates of rank k on line k, then its slot on the node | Blue Gene                         |
/// | `scotch`           | how many, then `RANK NODE` a line                          | Scotch: gmap, gmtst               |
enum class Launcher : std::uint8_t { rankfile, seq, mpich_rank_order, slurm_hostfile, vcoord, bgq, scotch };

/// Reads the names above, with `-` for `_`. Throws std::invalid_argument that lists them.
Launcher launcher_named(std::string_view name);

/// Where processes can be: per_node of them on every node.
struct Machine {
  Grid grid;
  std::size_t per_node = 1;
  std::optional<std::size_t> cores_per_node;  ///< per_node or more, for formats that bind ranks to cores
  std::vector<std::string> hosts;             ///< of the nodes; empty if nobody gave them

  std::size_t rank_count() const { return grid.node_count() * per_node; }
};

/// Whether the format names hosts and so needs Machine::hosts.
bool needs_hosts(Launcher launcher);

/// Whether the format says which cores of its node a rank may use.
bool binds_to_cores(Launcher launcher);

/// The launcher's file for that order. Ranks that share a node take its slots in ascending order. Throws
/// std::invalid_argument for a grid that the format has no coordinates for, and without the hosts that it needs.
std::string launcher_text(Launcher launcher, const Machine& machine, std::span<const GridNode> node_of_rank);

/// The order that a launcher's file gives. Throws std::runtime_error with file, line and rule for text that is not of the
/// format, for a rank that is missing or comes twice and for a node with too many of them.
std::vector<GridNode> read_launcher_file(Launcher launcher, const Machine& machine, const std::string& path);

/// How the file is used, and what the target is called where the format leaves that to another file.
std::string usage(Launcher launcher, const Machine& machine, const std::string& path);

/// A known trap that the text walks into.
std::optional<std::string> doubt_about(Launcher launcher, const std::string& text);

}  // namespace cubefold::planner
