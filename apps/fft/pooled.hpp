#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "npy/header.hpp"
#include "npy/natural_order.hpp"

/// What of a result is drawn: the largest magnitudes of cells, so that no peak is lost, however many points there are.
namespace cubefold::fft_program {

/// Columns of a curve at most, and cells of a plane along each side.
inline constexpr std::size_t curve_columns = 720;
inline constexpr std::size_t plane_cells = 128;

/// Cells of a plane, row by row; a curve has one row. 0 where no point is finite.
struct Cells {
  std::size_t rows;
  std::size_t columns;
  std::vector<double> largest;
};

/// What is drawn of an array: its one row, or a plane of it.
struct Plane {
  std::size_t first_point;
  std::size_t row_count;
  std::size_t column_count;
};

/// Throws std::invalid_argument for a slice that there is not.
Plane plane_of(const npy::Shape& shape, std::size_t slice);

/// Collective: on process 0 the cells of all points, on others those of their own. O(local points + cells). T: float,
/// double or complex.
template <typename T>
Cells pooled(const npy::NaturalOrder& order, const Plane& plane, std::span<const T> part);

}  // namespace cubefold::fft_program
