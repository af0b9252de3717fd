#pragma once

#include <cstddef>
#include <vector>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/transform/layout.hpp"

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

/// The distribution of 2^(n+2s) points over 2^n ranks in which a bit reversal of the points is one of the
/// ranks: from the lowest bit of a point's index up, s bits count within a block, n bits are the rank, s bits
/// the block. Each rank thus has 2^s blocks of 2^s consecutive points, 2^n blocks apart. Source: [Lcc]
/// section 6.2.
class CUBEFOLD_API BlockCyclic {
 public:
  /// Throws std::invalid_argument, naming the nearest lengths that fit, unless rank_count = 2^n and
  /// point_count = 2^(n+2s) for some s >= 0.
  BlockCyclic(std::size_t point_count, std::size_t rank_count);

  std::size_t point_count() const { return std::size_t{1} << (rank_bit_count_ + 2 * block_bit_count_); }
  int rank_bit_count() const { return rank_bit_count_; }    ///< n
  int block_bit_count() const { return block_bit_count_; }  ///< s

  std::size_t block_count() const { return std::size_t{1} << block_bit_count_; }        ///< per rank
  std::size_t block_point_count() const { return std::size_t{1} << block_bit_count_; }  ///< per block
  std::size_t local_count() const { return block_count() * block_point_count(); }       ///< points per rank

  /// Returns the distance between the first points of a rank's successive blocks.
  std::size_t block_stride() const { return std::size_t{1} << (block_bit_count_ + rank_bit_count_); }

  /// These return which rank has a point and where in its memory, and back.
  Rank owner(std::size_t point) const;
  std::size_t local_index(std::size_t point) const;
  std::size_t point_at(Rank rank, std::size_t local_index) const;

 private:
  int rank_bit_count_;
  int block_bit_count_;
};

/// Returns the values of a dimension that one of `members` members has, ascending, in at most three runs of which none
/// is empty. Cost O(1), as all functions here but common_values().
std::vector<ValueRun> values_of(const IndexDimension& dimension, std::size_t member, std::size_t members);

/// Returns the member that has a value; 0 for local dimensions.
std::size_t owner_of(const IndexDimension& dimension, std::size_t value, std::size_t members);

/// Returns the place of a value among one member's: how many of the runs' values are below it.
std::size_t place_among(const std::vector<ValueRun>& runs, std::size_t value);

/// Returns the value at a place; inverse of place_among().
std::size_t value_at(const std::vector<ValueRun>& runs, std::size_t place);

/// Returns how many values the runs have.
std::size_t count_of(const std::vector<ValueRun>& runs);

/// Returns the values that both have, as runs. Requires steps that are equal, or one step of 1. Cost O(runs of a * runs
/// of b).
std::vector<ValueRun> common_values(const std::vector<ValueRun>& a, const std::vector<ValueRun>& b);

/// Returns value / by, rounded up.
constexpr std::size_t divided_up(std::size_t value, std::size_t by) {
  return value / by + (value % by == 0 ? 0 : 1);
}

}  // namespace cubefold::fft
