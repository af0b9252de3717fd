#pragma once

#include <string>

#include "fft/pooled.hpp"

namespace cubefold::fft_program {

/// The texts of a plot.
struct PlotText {
  std::string title;
  std::string note;
  bool is_spectrum;  ///< magnitudes over frequencies (logarithmic), or values over points (linear)
};

/// Returns a curve if the plane has one row, and a heat map otherwise. The SVG file refers to no other file and suits
/// light and dark backgrounds.
std::string plot(const Cells& cells, const Plane& plane, const PlotText& text);

/// Returns a plane as an SVG file. The colour of a cell shows its magnitude.
std::string heat_map(const Cells& cells, const Plane& plane, const PlotText& text);

}  // namespace cubefold::fft_program
