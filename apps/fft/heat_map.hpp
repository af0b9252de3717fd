#pragma once

#include <string>

#include "fft/plot.hpp"

namespace cubefold::fft_program {

/// Returns a plane as an SVG file. The colour of a cell shows its magnitude.
std::string heat_map(const Cells& cells, const Plane& plane, const PlotText& text);

}  // namespace cubefold::fft_program
