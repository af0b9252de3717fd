#include "cubefold/fft/block_cyclic.hpp"

#include <fmt/format.h>

#include <bit>
#include <limits>
#include <stdexcept>

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

}  // namespace cubefold::fft
