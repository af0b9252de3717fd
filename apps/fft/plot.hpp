#pragma once

#include <string>

#include "fft/pooled.hpp"

namespace cubefold::fft_program {

/// What is written beside a plot.
struct PlotText {
  std::string title;
  std::string note;
  bool is_spectrum;  ///< magnitudes over frequencies on a logarithmic scale; else over points on a linear one
};

/// A curve where the plane has one row, else a heat map: an SVG file that needs nothing else and suits light and dark
/// surroundings.
std::string plot(const Cells& cells, const Plane& plane, const PlotText& text);

}  // namespace cubefold::fft_program
