#pragma once

#include <cstddef>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/fft/program.hpp"

namespace cubefold::fft {

/// Points that lie at equal distances, in a process's memory and in a packed block.
struct BoxDimension {
  std::size_t count;
  std::size_t local_stride;
  std::size_t packed_stride;

  bool operator==(const BoxDimension&) const = default;
};

/// A strided box of points: place local_offset + sum of i_d * local_stride_d is packed at packed_offset + sum of i_d *
/// packed_stride_d. Dimensions are those of the packed block, slowest first, those of one point left out and those that are
/// one in both memories put together.
struct CUBEFOLD_API Box {
  std::size_t local_offset = 0;
  std::size_t packed_offset = 0;
  std::vector<BoxDimension> dimensions;

  std::size_t count() const;  ///< points

  bool operator==(const Box&) const = default;
};

/// Points of the largest block of an exchange, of any process and peer: what each block is padded to.
CUBEFOLD_API std::size_t block_count(const ExchangeStage& stage);

/// What the process sends the member `peer` of the stage's axis: where it lies in the layout before. A block is packed
/// in the memory order of the layout after. No box where nothing goes; one, but for mirrored digits and empty blocks.
CUBEFOLD_API std::vector<Box> sent_boxes(const ExchangeStage& stage, const Layout::Members& members,
                                         std::size_t peer);

/// What the process gets from the member `peer`, itself included: where it lies in the layout after.
CUBEFOLD_API std::vector<Box> received_boxes(const ExchangeStage& stage, const Layout::Members& members,
                                             std::size_t peer);

/// Points that one process sends others, the most of all processes, without padding.
CUBEFOLD_API std::size_t sent_count(const ExchangeStage& stage);

}  // namespace cubefold::fft
