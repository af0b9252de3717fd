#pragma once

#include <cstddef>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/fft/layout.hpp"

namespace cubefold::fft {

/// Returns the layout of row_count rows of row_length points in blocks of whole rows: each process has ceil(row_count /
/// processes) rows, the last ones fewer.
CUBEFOLD_API Layout block_layout(std::size_t row_count, std::size_t row_length, std::size_t process_count);

/// Returns the layout in which point i is at place i / processes of process i mod processes.
CUBEFOLD_API Layout cyclic_layout(std::size_t point_count, std::size_t process_count);

/// Returns the distribution of BlockCyclic as a layout. Throws std::invalid_argument where that does.
CUBEFOLD_API Layout block_cyclic_layout(std::size_t point_count, std::size_t process_count);

/// Returns the layout of points a + low_extent b in which a is in blocks and b is fastest within a process.
CUBEFOLD_API Layout scrambled_layout(std::size_t low_extent, std::size_t high_extent,
                                     std::size_t process_count);

/// Returns the layout of a row-major array of two dimensions or more. Dimension dimensions[i] is in blocks over process
/// axis i; other dimensions are local. Slabs are {0}, pencils {0, 1}. Throws std::invalid_argument unless there is a
/// different dimension for every process axis.
CUBEFOLD_API Layout array_layout(const std::vector<std::size_t>& extents,
                                 const std::vector<std::size_t>& dimensions,
                                 const std::vector<std::size_t>& axis_members);

}  // namespace cubefold::fft
