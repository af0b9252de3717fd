#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "npy/header.hpp"
#include "npy/natural_order.hpp"

/// This header reduces a result to cells and draws them. Each cell has the largest magnitude of its points, so that no
/// peak is lost.

namespace cubefold::fft_program {

/// Limits the columns of a curve, and the cells of a plane along each side.
inline constexpr std::size_t curve_columns = 720;
inline constexpr std::size_t plane_cells = 128;

/// Holds the cells of a plane, row by row. A curve has one row. A cell is 0 if none of its points is finite.
struct Cells {
  std::size_t rows;
  std::size_t columns;
  std::vector<double> largest;
};

/// Describes the part of an array that is drawn: its only row, or a plane.
struct Plane {
  std::size_t first_point;
  std::size_t row_count;
  std::size_t column_count;
};

/// Returns the plane of a slice. Throws std::invalid_argument if there is no such slice.
Plane plane_of(const npy::Shape& shape, std::size_t slice);

/// Returns the cells of all points on process 0, and the cells of its own points on other processes. Costs O(local
/// points + cells). T is float, double or complex. All processes must call this.
template <typename T>
Cells pooled(const npy::NaturalOrder& order, const Plane& plane, std::span<const T> part);

/// Holds the texts of a plot, and the kind of its axes.
struct PlotText {
  std::string title;
  std::string note;
  bool is_spectrum;  ///< magnitudes over frequencies (logarithmic), or values over points (linear)
};

/// Returns a curve if the plane has one row, and a heat map otherwise. The SVG file refers to no other file and suits
/// light and dark backgrounds.
std::string plot(const Cells& cells, const Plane& plane, const PlotText& text);

/// Returns an SVG file that shows a plane. The colour of a cell shows its magnitude.
std::string heat_map(const Cells& cells, const Plane& plane, const PlotText& text);

}  // namespace cubefold::fft_program
