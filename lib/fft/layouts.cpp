#include "layouts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>

#include "block_cyclic.hpp"

namespace cubefold::fft {

namespace {

int checked_rank_bit_count(std::size_t rank_count) {
  if (!std::has_single_bit(rank_count)) {
    throw std::invalid_argument(
        fmt::format("{} processes: the block-cyclic distribution needs a power of two", rank_count));
  }
  return std::countr_zero(rank_count);
}

/// The nearest lengths rank_count * 4^s around one that is none of them.
std::string lengths_near(std::size_t point_count, std::size_t rank_count) {
  if (point_count < rank_count) return fmt::format("the smallest is {}", rank_count);
  std::size_t below = rank_count;
  while (below <= point_count / 4) below *= 4;
  if (below > std::numeric_limits<std::size_t>::max() / 4) return fmt::format("the largest is {}", below);
  return fmt::format("the nearest are {} and {}", below, below * 4);
}

int checked_block_bit_count(std::size_t point_count, std::size_t rank_count, int rank_bit_count) {
  const int spare_bits = std::countr_zero(point_count) - rank_bit_count;
  if (!std::has_single_bit(point_count) || spare_bits < 0 || spare_bits % 2 != 0) {
    throw std::invalid_argument(fmt::format(
        "{} points on {} processes: the block-cyclic distribution needs processes times a power of four; {}",
        point_count, rank_count, lengths_near(point_count, rank_count)));
  }
  return spare_bits / 2;
}

}  // namespace

BlockCyclic::BlockCyclic(std::size_t point_count, std::size_t rank_count)
    : rank_bit_count_(checked_rank_bit_count(rank_count)),
      block_bit_count_(checked_block_bit_count(point_count, rank_count, rank_bit_count_)) {}

Rank BlockCyclic::owner(std::size_t point) const {
  return static_cast<Rank>((point >> block_bit_count_) & ((std::size_t{1} << rank_bit_count_) - 1));
}

std::size_t BlockCyclic::local_index(std::size_t point) const {
  const std::size_t block = point >> (block_bit_count_ + rank_bit_count_);
  return (block << block_bit_count_) | (point & (block_point_count() - 1));
}

std::size_t BlockCyclic::point_at(Rank rank, std::size_t local_index) const {
  const std::size_t block = local_index >> block_bit_count_;
  const std::size_t within = local_index & (block_point_count() - 1);
  return (block << (block_bit_count_ + rank_bit_count_)) | (std::size_t{label(rank)} << block_bit_count_) |
         within;
}

Layout block_layout(std::size_t row_count, std::size_t row_length, std::size_t process_count) {
  return {{{row_count, row_length, Spread::block}, {row_length, 1}}, {process_count}};
}

Layout cyclic_layout(std::size_t point_count, std::size_t process_count) {
  return {{{point_count, 1, Spread::cyclic}}, {process_count}};
}

Layout block_cyclic_layout(std::size_t point_count, std::size_t process_count) {
  const BlockCyclic points(point_count, process_count);
  return {{{points.block_count(), points.block_stride()},
           {process_count, points.block_point_count(), Spread::block},
           {points.block_point_count(), 1}},
          {process_count}};
}

Layout scrambled_layout(std::size_t low_extent, std::size_t high_extent, std::size_t process_count) {
  return {{{low_extent, 1, Spread::block}, {high_extent, low_extent}}, {process_count}};
}

Layout array_layout(const std::vector<std::size_t>& extents, const std::vector<std::size_t>& dimensions,
                    const std::vector<std::size_t>& axis_members) {
  if (dimensions.size() != axis_members.size()) {
    throw std::invalid_argument(fmt::format("array_layout: {} dimensions for {} process axes",
                                            dimensions.size(), axis_members.size()));
  }
  std::vector<IndexDimension> all(extents.size());
  std::size_t weight = 1;
  for (std::size_t i = extents.size(); i-- > 0; weight *= extents[i]) all[i] = {extents[i], weight};
  for (std::size_t axis = 0; axis < dimensions.size(); ++axis) {
    if (dimensions[axis] >= all.size() || all[dimensions[axis]].spread != Spread::local) {
      throw std::invalid_argument(
          fmt::format("array_layout: dimension {} of process axis {} is not one of the array's {}, or taken",
                      dimensions[axis], axis, extents.size()));
    }
    all[dimensions[axis]].spread = Spread::block;
    all[dimensions[axis]].axis = static_cast<int>(axis);
  }
  return {std::move(all), axis_members};
}

}  // namespace cubefold::fft
