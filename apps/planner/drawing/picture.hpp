#pragma once

#include <string>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/lcc/lcc.hpp"
#include "cubefold/plan/phase.hpp"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold::planner {

/// One drawing of the grid, with the ranks of every node and the load of every link.
struct Panel {
  std::string title;
  std::vector<GridNode> node_of_rank;
  std::vector<double> loads;  ///< by link_index()
  /// What is sent in each phase of a program or step of a schedule. Empty for loads from a file.
  std::vector<Phase> steps = {};
};

/// Several panels side by side, with one scale of colours.
struct Picture {
  Grid grid;
  std::string noun;  ///< unit of the loads: messages, blocks or bytes
  std::string caption;
  std::vector<Panel> panels = {};
  double bound = 0;         ///< no placement has a busiest link below this load; 0 if no bound is known
  Tie tie = Tie::balanced;  ///< of the routes of the steps
  std::vector<std::string> hosts = {};  ///< one for each node; empty if they are unknown
};

/// Returns the picture as an SVG file that refers to no other file and suits light and dark backgrounds. Every directed
/// link of every panel is one path of class `link`, on the right-hand side of the line between its nodes, in the order
/// of links_of(). Switches are small dashed circles of class `switch`. Throws std::invalid_argument for a grid that
/// cannot be drawn.
std::string to_svg(const Picture& picture);

/// One drawing of a linear-complement communication. It shows the matrix A and, next to it, the vector b.
struct MatrixPanel {
  std::string title;
  std::string note;
  Lcc lcc;
};

/// Several matrices, drawn side by side.
struct MatrixPicture {
  std::string caption;
  std::vector<int> axis_bits;  ///< number of bits of each axis; lines separate the axes
  std::vector<MatrixPanel> panels;
};

/// Returns the communication between nodes that a communication between ranks causes: P A P^-1 and P b under the
/// placement P. Throws std::invalid_argument for a placement that is no linear map of bits.
Lcc between_nodes(const Lcc& lcc, const Placement& placement);

/// Returns the picture as an SVG file that refers to no other file and suits light and dark backgrounds. Every bit is
/// one rectangle of class `one` or `zero`, row by row from bit 0 down, with b last in its row.
std::string to_svg(const MatrixPicture& picture);

}  // namespace cubefold::planner
