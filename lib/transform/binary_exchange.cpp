#include "binary_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>
#include <vector>

namespace cubefold::fft {

namespace {

bool keeps_rows_at_powers_of_two(const BinaryExchangeShape& shape) {
  return shape.labels != RankLabels::natural && shape.high > 1 && std::has_single_bit(shape.high);
}

/// Returns the error of a shape, or nothing.
std::optional<std::string> fault_of(const BinaryExchangeShape& shape) {
  const auto& [p, high, low, exchanged, labels] = shape;
  if (!std::has_single_bit(p)) return fmt::format("{} ranks are no power of two", p);
  if (high == 0 || low == 0) return fmt::format("{} x {} x {} points are none", high, p, low);
  if (exchanged == Exchanged::whole || high % p == 0 || keeps_rows_at_powers_of_two(shape)) return {};
  return fmt::format("a half exchange of {} ranks needs a multiple of them{} in the first transforms, not {}",
                     p, labels == RankLabels::natural ? "" : ", or 2, 4, 8, ... points", high);
}

BinaryExchangeShape checked(const BinaryExchangeShape& shape) {
  if (const auto fault = fault_of(shape)) throw std::invalid_argument("BinaryExchange: " + *fault);
  return shape;
}

/// Returns the number of rows, which are the values of the bits of k_H that change places with bits of the ranks.
std::size_t row_count_of(const BinaryExchangeShape& shape) {
  if (shape.exchanged == Exchanged::whole) return 1;
  return std::min(shape.rank_count, shape.high);
}

/// Returns whether the ranks are one dimension of the layouts. Reversal does not change the labels of one or two ranks.
bool is_one_dimension(const BinaryExchangeShape& shape) {
  return shape.labels == RankLabels::natural || shape.rank_count <= 2;
}

/// Returns the dimensions of more than one value. Local dimensions are joined if they are neighbours in memory and in
/// the index.
std::vector<IndexDimension> without_idle(const std::vector<IndexDimension>& dimensions) {
  std::vector<IndexDimension> result;
  for (const IndexDimension& dimension : dimensions) {
    if (dimension.extent == 1) continue;
    const bool continues = !result.empty() && dimension.spread == Spread::local &&
                           result.back().spread == Spread::local &&
                           result.back().weight == dimension.extent * dimension.weight;
    if (continues) {
      result.back() = {result.back().extent * dimension.extent, dimension.weight};
    } else {
      result.push_back(dimension);
    }
  }
  if (result.empty()) result.push_back({1, 1});
  return result;
}

/// Returns the dimensions of the ranks: one dimension for all bits, or one for each bit, with bit i of the rank on axis
/// i.
std::vector<IndexDimension> rank_dimensions(const BinaryExchangeShape& shape, std::size_t weight,
                                            bool is_reversed) {
  if (is_one_dimension(shape)) return {{shape.rank_count, weight, Spread::block, 0}};
  std::vector<IndexDimension> dimensions;
  const int n = std::countr_zero(shape.rank_count);
  for (int i = n - 1; i >= 0; --i) {
    dimensions.push_back({2, weight << (is_reversed ? n - 1 - i : i), Spread::block, i});
  }
  return dimensions;
}

std::vector<std::size_t> axis_members(const BinaryExchangeShape& shape) {
  if (is_one_dimension(shape)) return {shape.rank_count};
  std::vector<std::size_t> pairs(static_cast<std::size_t>(std::countr_zero(shape.rank_count)), 2);
  return pairs;
}

Layout layout(const BinaryExchangeShape& shape, const IndexDimension& slow,
              const std::vector<IndexDimension>& ranks, const IndexDimension& fast) {
  std::vector<IndexDimension> dimensions{slow};
  dimensions.insert(dimensions.end(), ranks.begin(), ranks.end());
  dimensions.push_back(fast);
  return {without_idle(dimensions), axis_members(shape)};
}

}  // namespace

BinaryExchange::BinaryExchange(const BinaryExchangeShape& shape)
    : shape_(checked(shape)),
      stage_count_(std::countr_zero(shape.rank_count)),
      row_count_(row_count_of(shape)) {}

Layout BinaryExchange::input() const {
  const auto& [p, high, low, exchanged, labels] = shape_;
  return layout(shape_, {high, p * low}, rank_dimensions(shape_, low, labels == RankLabels::input_reversed),
                {low, 1});
}

Layout BinaryExchange::output() const {
  const auto& [p, high, low, exchanged, labels] = shape_;
  const bool is_reversed = labels == RankLabels::output_reversed;
  const IndexDimension slow{low, p * high};
  if (exchanged == Exchanged::whole)
    return layout(shape_, slow, rank_dimensions(shape_, high, is_reversed), {high, 1});
  std::vector<IndexDimension> dimensions{slow, {high, p}};
  for (const IndexDimension& dimension : rank_dimensions(shape_, 1, is_reversed))
    dimensions.push_back(dimension);
  return {without_idle(dimensions), axis_members(shape_)};
}

Layout::Members BinaryExchange::members_of(Rank rank) const {
  if (is_one_dimension(shape_)) return {label(rank)};
  Layout::Members members;
  for (int i = 0; i < stage_count_; ++i) members.push_back((label(rank) >> i) & 1U);
  return members;
}

bool BinaryExchange::has_bit_reversal() const {
  return shape_.exchanged == Exchanged::whole && shape_.labels == RankLabels::natural && stage_count_ > 1;
}

Rank BinaryExchange::bit_reversed(Rank rank) const {
  return static_cast<Rank>(reversed(label(rank)));
}

/// Returns whether stage t exchanges in dimension t. In this case bit t of the rank holds bit n-1-t of j_P. Otherwise
/// bit i of the rank holds bit i of j_P, and stage t exchanges in dimension n-1-t.
bool BinaryExchange::stages_ascend() const {
  return shape_.labels == RankLabels::input_reversed ||
         (shape_.exchanged == Exchanged::whole && shape_.labels == RankLabels::natural);
}

int BinaryExchange::dimension_of(int stage) const {
  return stages_ascend() ? stage : stage_count_ - 1 - stage;
}

std::size_t BinaryExchange::twiddle_exponent(int stage, Rank rank) const {
  const std::size_t left = (std::size_t{1} << (stage_count_ - 1 - stage)) - 1;
  return input_label(rank) & left;
}

// If labels are reversed on one side, stage t moves bit t of k from the rows to the rank, and bit t of k_P takes its
// place in the rows. At that time row bit (t - n) mod log2(rows) holds bit t of k. If H < P, the new bit is bit t +
// log2(H) of k, and stage t + log2(H) moves it on. After the last stage the rows ascend in k. With natural labels,
// stage t moves bit n-1-t of k_H to the rank, and bit t of k_P takes its place.
int BinaryExchange::row_bit_of(int stage) const {
  const int bits = std::countr_zero(row_count_);
  return bits == 0 ? 0 : (stage + stage_count_ * (bits - 1)) % bits;
}

std::size_t BinaryExchange::high_of_row(std::size_t row) const {
  if (row_count_ == 1) return 0;
  if (shape_.labels == RankLabels::natural) return reversed(row);
  const int bits = std::countr_zero(row_count_);
  std::size_t high = 0;
  for (int bit = 0; bit < bits; ++bit) high |= ((row >> bit) & 1U) << ((stage_count_ + bit) % bits);
  return high;
}

std::size_t BinaryExchange::input_label(Rank rank) const {
  return stages_ascend() ? reversed(label(rank)) : label(rank);
}

std::size_t BinaryExchange::output_label(Rank rank) const {
  return shape_.labels == RankLabels::output_reversed ? reversed(label(rank)) : label(rank);
}

ValueRun BinaryExchange::heads(Rank rank) const {
  if (shape_.exchanged == Exchanged::whole) return {shape_.high * output_label(rank), 1, shape_.high};
  return {output_label(rank), shape_.rank_count, shape_.high};
}

std::size_t BinaryExchange::reversed(std::size_t label) const {
  std::size_t result = 0;
  for (int bit = 0; bit < stage_count_; ++bit) result |= ((label >> bit) & 1U) << (stage_count_ - 1 - bit);
  return result;
}

std::optional<BinaryExchange> binary_exchange_between(Distribution input, Distribution output,
                                                      std::size_t point_count,
                                                      const BinaryExchangeShape& kind) {
  using enum Distribution;
  const auto is = [&](Distribution from, Distribution to) { return input == from && output == to; };
  const bool whole = kind.exchanged == Exchanged::whole;
  const std::size_t local_count = kind.rank_count == 0 ? 0 : point_count / kind.rank_count;
  if (local_count == 0 || local_count * kind.rank_count != point_count) return std::nullopt;

  BinaryExchangeShape shape = kind;
  shape.high = shape.low = 1;
  if (whole && is(block, cyclic)) {
    shape.low = local_count;
  } else if (whole ? is(cyclic, block) : is(cyclic, cyclic)) {
    shape.high = local_count;
  } else if (whole ? is(block_cyclic, block_cyclic) : is(block_cyclic, cyclic)) {
    shape.high = shape.low = std::size_t{1} << (std::countr_zero(local_count) / 2);
  } else {
    return std::nullopt;
  }
  if (shape.high * shape.low != local_count || fault_of(shape)) return std::nullopt;
  return BinaryExchange(shape);
}

std::string describe(const BinaryExchange& exchange) {
  const auto& [p, high, low, exchanged, labels] = exchange.shape();
  const char* labelled = labels == RankLabels::natural          ? "natural labels"
                         : labels == RankLabels::input_reversed ? "labels reversed in the input"
                                                                : "labels reversed in the output";
  return fmt::format("{} exchange of {} x {} x {} points, {}{}, {} stages",
                     exchanged == Exchanged::whole ? "whole" : "half", high, p, low, labelled,
                     exchange.has_bit_reversal() ? ", a bit reversal of ranks" : "", exchange.stage_count());
}

}  // namespace cubefold::fft
