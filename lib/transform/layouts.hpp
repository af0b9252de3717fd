#pragma once

#include <cstddef>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/transform/layout.hpp"

namespace cubefold::fft {

/// Returns the layout of row_count rows of row_length points in blocks of whole rows. Each process has ceil(row_count /
/// processes) rows; the last ones have fewer or none.
CUBEFOLD_API Layout block_layout(std::size_t row_count, std::size_t row_length, std::size_t process_count);

/// Returns the layout in which point i is at place i / processes of process i mod processes.
CUBEFOLD_API Layout cyclic_layout(std::size_t point_count, std::size_t process_count);

/// Returns 2^s, the number of points in a block of block_cyclic_layout(), which is also the number of blocks of a
/// process. Throws std::invalid_argument unless process_count = 2^n and point_count = 2^(n+2s) for some s >= 0. The
/// message names the nearest lengths that fit.
CUBEFOLD_API std::size_t block_cyclic_block(std::size_t point_count, std::size_t process_count);

/// Returns the layout of 2^(n+2s) points over 2^n processes in which a bit reversal of the points is a bit reversal of
/// the processes. In the index of a point, the lowest s bits count within a block, the next n bits are the process, and
/// the highest s bits are the block. Each process thus has 2^s blocks of 2^s consecutive points; the first points of
/// its successive blocks are 2^(n+s) apart. Throws as block_cyclic_block(). Source: [Lcc] section 6.2.
CUBEFOLD_API Layout block_cyclic_layout(std::size_t point_count, std::size_t process_count);

/// Returns the layout of points a + low_extent * b in which a is in blocks and b is fastest within a process.
CUBEFOLD_API Layout scrambled_layout(std::size_t low_extent, std::size_t high_extent,
                                     std::size_t process_count);

/// Returns the layout of a row-major array of two dimensions or more. Dimension dimensions[i] is in blocks over process
/// axis i; other dimensions are local. Slabs have dimensions {0}, pencils {0, 1}. Throws std::invalid_argument unless
/// every process axis has a dimension of its own.
CUBEFOLD_API Layout array_layout(const std::vector<std::size_t>& extents,
                                 const std::vector<std::size_t>& dimensions,
                                 const std::vector<std::size_t>& axis_members);

/// Returns the values of a dimension that one of `members` members has, in at most three runs. The values ascend, and
/// no run is empty. Cost O(1).
std::vector<ValueRun> values_of(const IndexDimension& dimension, std::size_t member, std::size_t members);

/// Returns the member that has a value, which is 0 for local dimensions. Cost O(1).
std::size_t owner_of(const IndexDimension& dimension, std::size_t value, std::size_t members);

/// Returns the place of a value among the values of one member, which is the number of smaller values in the runs.
std::size_t place_among(const std::vector<ValueRun>& runs, std::size_t value);

/// Returns the value at a place; inverse of place_among().
std::size_t value_at(const std::vector<ValueRun>& runs, std::size_t place);

/// Returns the number of values in the runs.
std::size_t count_of(const std::vector<ValueRun>& runs);

/// Returns the values that are in both a and b, as runs. Requires that the steps are equal or that one of them is 1.
/// Cost O(runs of a * runs of b).
std::vector<ValueRun> common_values(const std::vector<ValueRun>& a, const std::vector<ValueRun>& b);

/// Returns whether every process has all values of the dimension. This is so if it is local or spread over an axis of
/// one member.
bool is_whole(const Layout& layout, std::size_t dimension);

/// Returns value / by, rounded up.
constexpr std::size_t divided_up(std::size_t value, std::size_t by) {
  return value / by + (value % by == 0 ? 0 : 1);
}

}  // namespace cubefold::fft
