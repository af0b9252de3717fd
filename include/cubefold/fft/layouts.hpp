#pragma once

#include <cstddef>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/fft/layout.hpp"

namespace cubefold::fft {

/// row_count rows of row_length points, whole rows in blocks: ceil(row_count / processes) rows each.
CUBEFOLD_API Layout block_layout(std::size_t row_count, std::size_t row_length, std::size_t process_count);

/// Point i at place i / processes of process i mod processes.
CUBEFOLD_API Layout cyclic_layout(std::size_t point_count, std::size_t process_count);

/// The distribution of BlockCyclic. Throws std::invalid_argument where that does.
CUBEFOLD_API Layout block_cyclic_layout(std::size_t point_count, std::size_t process_count);

/// Point a + low_extent b: a in blocks, within a process b fastest.
CUBEFOLD_API Layout scrambled_layout(std::size_t low_extent, std::size_t high_extent,
                                     std::size_t process_count);

/// A row-major array of two dimensions or more, dimension dimensions[i] in blocks over process axis i; other dimensions
/// are local. Slabs are {0}, pencils {0, 1}. Throws std::invalid_argument unless there is a different dimension for
/// every process axis.
CUBEFOLD_API Layout array_layout(const std::vector<std::size_t>& extents,
                                 const std::vector<std::size_t>& dimensions,
                                 const std::vector<std::size_t>& axis_members);

}  // namespace cubefold::fft
