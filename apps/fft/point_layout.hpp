#pragma once

#include <cstddef>
#include <vector>

#include "cubefold/transform/layout.hpp"
#include "cubefold/transform/local_box.hpp"
#include "npy/header.hpp"

namespace cubefold::fft_program {

/// A layout, and the coordinates of this process in it.
struct PointLayout {
  fft::Layout layout;
  fft::Layout::Members members;
};

/// Returns a grid of bricks, of which rank `rank` has one, row by row: `bricks` has their number in each dimension of
/// the array. Throws std::invalid_argument unless there is one for each of the processes.
PointLayout brick_layout(const npy::Shape& shape, const std::vector<std::size_t>& bricks,
                         std::size_t process_count, std::size_t rank);

/// Returns the box of this process in a layout of bricks.
fft::LocalBox box_of(const PointLayout& at);

}  // namespace cubefold::fft_program
