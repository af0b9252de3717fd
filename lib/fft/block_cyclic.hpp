#pragma once

#include <cstddef>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"

namespace cubefold::fft {

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

}  // namespace cubefold::fft
