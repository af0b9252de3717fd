#pragma once

#include <cstddef>
#include <vector>

#include "cubefold/export.h"
#include "program.hpp"
#include "strided_view.hpp"

namespace cubefold::fft {

/// The places of a process's points in the blocks that it sends and receives in an exchange. A block has a place for
/// every combination of the values that its sender and its receiver may share; where they share fewer, the rest is
/// padding. All blocks of an exchange have the same number of places.
///
/// An example: 8 rows of 12 points in blocks of rows over 4 members become blocks of columns. Member m sends member d
/// the rows 2m and 2m + 1 of the columns 3d to 3d + 2, a block of 6 places. If columns are fastest in blocks, `sent`
/// has the offsets 0 and 3 for rows and 0 1 2, 6 7 8, 12 13 14, 18 19 20 for columns; `received` has 0 3 6 ... 21 for
/// rows, one behind the other as their members are, and 0 1 2 for columns.
struct BlockGeometry {
  StridedView sent;             ///< in the blocks for all members, of the dimensions of the layout before
  StridedView received;         ///< in the blocks of all members, of the dimensions of the layout after
  std::size_t block_count = 0;  ///< places of a block, for all arrays of the batch together
};

/// Returns, for each dimension of the layout after, which dimension of the layout before it is, by extent and weight;
/// the number of dimensions where there is none. Several dimensions of one value can have the same weight: each is
/// taken once, those that stay as they are first.
std::vector<std::size_t> dimensions_before(const ExchangeStage& stage);

/// Returns the most values of each dimension of the layout before that any two members share. Cost O(dimensions).
std::vector<std::size_t> shared_counts(const ExchangeStage& stage);

/// Lays out the blocks of one process, those that it sends and those that it receives. Local. `order` names the
/// dimensions of the layout before in the order of a block's places, the slowest first. Throws std::logic_error where
/// the exchange changes the extents of dimensions. Cost O(values).
BlockGeometry block_geometry(const ExchangeStage& stage, const Layout::Members& members, std::size_t batch,
                             const std::vector<std::size_t>& order);

/// What one process sends to others, in complex points; of all processes the one that sends most.
struct Volume {
  std::size_t exchange_count = 0;
  std::size_t message_count =
      0;                         ///< members - 1 for each exchange, where blocks go straight to their members
  std::size_t sent_count = 0;    ///< points of the transform
  std::size_t padded_count = 0;  ///< message_count blocks, each as large as the largest of its exchange

  bool operator==(const Volume&) const = default;
};

/// Adds up all exchanges of the program. With m points a process and p processes on one axis, which divide the factors
/// of the length, an exchange sends m (p-1)/p points, and no padding. Cost O(processes of the axes).
CUBEFOLD_API Volume volume_of(const Program& program);

/// Returns the points of the largest block of an exchange, of any process and peer. Every block is padded to it.
CUBEFOLD_API std::size_t block_count(const ExchangeStage& stage);

/// Returns the points that one process sends to others, the most of all processes, without padding.
CUBEFOLD_API std::size_t sent_count(const ExchangeStage& stage);

}  // namespace cubefold::fft
