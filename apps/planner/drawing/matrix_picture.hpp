#pragma once

#include <string>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/lcc/lcc.hpp"

namespace cubefold::planner {

/// The picture of a linear-complement communication: the ones of A, and next to them those of b.
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
