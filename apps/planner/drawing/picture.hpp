#pragma once

#include <string>
#include <vector>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/topology/grid.hpp"

namespace cubefold::planner {

/// One drawing of the grid, with the rank of every node and the load of every link.
struct Panel {
  std::string title;
  std::vector<Rank> ranks;    ///< rank of every node
  std::vector<double> loads;  ///< by link_index()
};

/// Several panels side by side, with one scale of colours.
struct Picture {
  Grid grid;
  std::string noun;  ///< unit of the loads: messages or bytes
  std::string caption;
  std::vector<Panel> panels;
};

/// Returns the picture as an SVG file that refers to no other file and suits light and dark backgrounds. Every directed
/// link of every panel is one path of class `link`, on the right-hand side of the line between its nodes. Throws
/// std::invalid_argument for a grid that cannot be drawn.
std::string to_svg(const Picture& picture);

}  // namespace cubefold::planner
