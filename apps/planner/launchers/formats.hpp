#pragma once

#include <span>
#include <string>
#include <vector>

#include "planner/launchers/launcher.hpp"
#include "planner/text/lines.hpp"

/// One pair of functions a body: the text, and the order that such text gives. See launcher_text() and
/// read_launcher_file().
namespace cubefold::planner {

/// `rank N=HOST slot=LIST`, where LIST counts cores: the ranks of a node share its cores equally, and cores that are left
/// over stay free. Without Machine::cores_per_node every rank may use all cores.
std::string rankfile_text(const Machine& machine, std::span<const GridNode> node_of_rank);
std::vector<GridNode> read_rankfile(const Machine& machine, Lines& lines);

/// One host a line.
std::string host_lines_text(const Machine& machine, std::span<const GridNode> node_of_rank);
std::vector<GridNode> read_host_lines(const Machine& machine, Lines& lines);

/// Ranks in the order in which nodes are filled, a line a node; commas or line ends between them are the same. Ranges a-b are neither
/// written nor read: no document or source that we know has them.
std::string rank_order_text(const Machine& machine, std::span<const GridNode> node_of_rank);
std::vector<GridNode> read_rank_order(const Machine& machine, Lines& lines);

/// `(x,y,z)` a line, axis 0 first; up to three axes.
std::string vcoord_text(const Machine& machine, std::span<const GridNode> node_of_rank);
std::vector<GridNode> read_vcoord(const Machine& machine, Lines& lines);

/// `x y z ... slot` a line, axis 0 first. A column is a coordinate by name, so that which of them Blue Gene counts fastest
/// does not matter here.
std::string bgq_text(const Machine& machine, std::span<const GridNode> node_of_rank);
std::vector<GridNode> read_bgq(const Machine& machine, Lines& lines);

/// The number of ranks, then `RANK NODE` a line; Scotch counts axis 0 fastest as we do.
std::string scotch_text(const Machine& machine, std::span<const GridNode> node_of_rank);
std::vector<GridNode> read_scotch(const Machine& machine, Lines& lines);

/// Scotch's name of the grid as a target, `torusXD 3 4 4 4`; nothing for a grid with both kinds of ends.
std::optional<std::string> scotch_target(const Grid& grid);

}  // namespace cubefold::planner
