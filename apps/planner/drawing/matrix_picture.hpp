#pragma once

#include <string>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/lcc/lcc.hpp"

namespace cubefold::planner {

/// A linear-complement communication as one drawing: the ones of A, and beside them those of b.
struct MatrixPanel {
  std::string title;
  std::string note;
  Lcc lcc;
};

/// Matrices side by side.
struct MatrixPicture {
  std::string caption;
  std::vector<int> axis_bits;  ///< how many bits each axis has, between which lines are drawn
  std::vector<MatrixPanel> panels;
};

/// What a communication between ranks is between nodes: P A P^-1 and P b, where the placement is P. Throws
/// std::invalid_argument for a placement that is no linear map of bits.
Lcc between_nodes(const Lcc& lcc, const Placement& placement);

/// The picture as an SVG file that needs nothing else and suits light and dark surroundings. Every bit is one rectangle
/// of class `one` or `zero`, row by row from bit 0 down, b last in its row.
std::string to_svg(const MatrixPicture& picture);

}  // namespace cubefold::planner
