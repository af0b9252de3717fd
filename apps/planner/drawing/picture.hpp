#pragma once

#include <string>
#include <vector>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/topology/grid.hpp"

namespace cubefold::planner {

/// One drawing of the grid: who sits where, and what every link carries.
struct Panel {
  std::string title;
  std::vector<Rank> ranks;    ///< of every node
  std::vector<double> loads;  ///< by link_index()
};

/// Panels side by side, on one scale of colours.
struct Picture {
  Grid grid;
  std::string noun;  ///< of the loads: messages or bytes
  std::string caption;
  std::vector<Panel> panels;
};

/// The picture as an SVG file that needs nothing else and suits light and dark surroundings. Every directed link of
/// every panel is one path of class `link`, on the right-hand side of the way between its nodes. Throws
/// std::invalid_argument for a grid that cannot be drawn.
std::string to_svg(const Picture& picture);

}  // namespace cubefold::planner
