#pragma once

#include <string>

#include "fft/plot.hpp"

namespace cubefold::fft_program {

/// A plane as an SVG file: a cell's colour is its magnitude.
std::string heat_map(const Cells& cells, const Plane& plane, const PlotText& text);

}  // namespace cubefold::fft_program
