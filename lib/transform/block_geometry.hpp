#pragma once

#include <cstddef>
#include <vector>

#include "cubefold/export.h"
#include "program.hpp"
#include "strided_view.hpp"

namespace cubefold::fft {

/// The places of a process's points in the blocks that it sends and receives in an exchange. A block has a place for
/// every combination of values that its sender and its receiver may share. If they share fewer, the other places are
/// padding. All blocks of an exchange have the same number of places.
///
/// Example: 8 rows of 12 points in blocks of rows over 4 members become blocks of columns. Member m sends to member d
/// the rows 2m and 2m + 1 of the columns 3d to 3d + 2, a block of 6 places. If columns are fastest in blocks, `sent`
/// has the offsets 0 and 3 for rows, and 0 1 2, 6 7 8, 12 13 14, 18 19 20 for columns. `received` has the offsets 0 3 6
/// ... 21 for rows, because the blocks of the members lie one behind the other, and 0 1 2 for columns.
struct BlockGeometry {
  StridedView sent;             ///< places in the blocks for all members; dimensions of the layout before
  StridedView received;         ///< places in the blocks of all members; dimensions of the layout after
  std::size_t block_count = 0;  ///< places of a block for all arrays of the batch
};

/// Returns the number of processes that exchange with each other, each with itself too.
std::size_t member_count(const ExchangeStage& stage);

/// Returns, for each dimension of the layout after, the number of the dimension of the layout before with the same
/// extent and weight, or the number of dimensions if there is none. Dimensions of one value can have the same weight.
/// Each of them is used once, and those that stay as they are come first.
std::vector<std::size_t> dimensions_before(const ExchangeStage& stage);

/// Returns, for each dimension of the layout before, the largest number of values that any two members share. Cost
/// O(dimensions).
std::vector<std::size_t> shared_counts(const ExchangeStage& stage);

/// Lays out the blocks that one process sends and receives. `order` names the dimensions of the layout before in the
/// order of a block's places, the slowest first. The arrays of
/// the batch lie one behind the other in a block, or are interleaved. Does not communicate. Throws std::logic_error if
/// the exchange changes the extents of dimensions. Cost O(values).
BlockGeometry block_geometry(const ExchangeStage& stage, const Layout::Members& members, std::size_t batch,
                             const std::vector<std::size_t>& order, bool is_interleaved = false);

/// The complex points that one process sends to others, for the process that sends most.
struct Volume {
  std::size_t exchange_count = 0;
  std::size_t message_count = 0;  ///< sum of members - 1, for exchanges that send blocks directly
  std::size_t sent_count = 0;     ///< points without padding
  std::size_t padded_count = 0;   ///< points with padding; blocks of an exchange are as large as its largest

  bool operator==(const Volume&) const = default;
};

/// Returns the sum of all exchanges of the program. If a process has m points, and the number p of processes on one
/// axis divides the factors of the length, an exchange sends m (p-1)/p points and no padding. Cost O(processes of the
/// axes).
CUBEFOLD_API Volume volume_of(const Program& program);

/// Returns the number of points of the largest block of an exchange. Every block is padded to this size.
CUBEFOLD_API std::size_t block_count(const ExchangeStage& stage);

/// Returns the number of points that the process which sends most sends to others, without padding.
CUBEFOLD_API std::size_t sent_count(const ExchangeStage& stage);

}  // namespace cubefold::fft
