#include "layouts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>

namespace cubefold::fft {

namespace {

/// Returns a text with the nearest lengths process_count * 4^s around a length that is not one of them.
std::string lengths_near(std::size_t point_count, std::size_t process_count) {
  if (point_count < process_count) return fmt::format("the smallest is {}", process_count);
  std::size_t below = process_count;
  while (below <= point_count / 4) below *= 4;
  if (below > std::numeric_limits<std::size_t>::max() / 4) return fmt::format("the largest is {}", below);
  return fmt::format("the nearest are {} and {}", below, below * 4);
}

}  // namespace

std::size_t block_cyclic_block(std::size_t point_count, std::size_t process_count) {
  if (!std::has_single_bit(process_count)) {
    throw std::invalid_argument(
        fmt::format("{} processes: the block-cyclic distribution needs a power of two", process_count));
  }
  const int spare_bits = std::countr_zero(point_count) - std::countr_zero(process_count);
  if (!std::has_single_bit(point_count) || spare_bits < 0 || spare_bits % 2 != 0) {
    throw std::invalid_argument(fmt::format(
        "{} points on {} processes: the block-cyclic distribution needs processes times a power of four; {}",
        point_count, process_count, lengths_near(point_count, process_count)));
  }
  return std::size_t{1} << (spare_bits / 2);
}

Layout block_layout(std::size_t row_count, std::size_t row_length, std::size_t process_count) {
  return {{{row_count, row_length, Spread::block}, {row_length, 1}}, {process_count}};
}

Layout cyclic_layout(std::size_t point_count, std::size_t process_count) {
  return {{{point_count, 1, Spread::cyclic}}, {process_count}};
}

Layout block_cyclic_layout(std::size_t point_count, std::size_t process_count) {
  const std::size_t block = block_cyclic_block(point_count, process_count);
  return {{{block, block * process_count}, {process_count, block, Spread::block}, {block, 1}},
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

namespace {

/// Appends a run, or extends the last run if the new one continues it.
void append(std::vector<ValueRun>& runs, ValueRun run) {
  if (run.count == 0) return;
  if (!runs.empty() && run.step == 1 && runs.back().step == 1 &&
      runs.back().first + runs.back().count == run.first) {
    runs.back().count += run.count;
  } else {
    runs.push_back(run);
  }
}

/// Returns the values of one member if `count` values are in blocks.
ValueRun block_of(std::size_t count, std::size_t member, std::size_t members) {
  const std::size_t size = divided_up(count, members);
  const std::size_t begin = std::min(member * size, count);
  return {begin, 1, std::min(size, count - begin)};
}

/// Returns the number of conjugate pairs. Pairs are numbered by their smaller value; pair 0 has 0 and, for an even
/// extent, extent / 2.
std::size_t pair_count(std::size_t extent) {
  return divided_up(extent, 2);
}

std::size_t pair_of(std::size_t value, std::size_t extent) {
  const std::size_t smaller = std::min(value, extent - value);
  return 2 * smaller == extent ? 0 : smaller;
}

std::vector<ValueRun> values_of_pairs(std::size_t extent, const ValueRun& pairs) {
  std::vector<ValueRun> runs;
  const std::size_t end = pairs.first + pairs.count;
  const bool has_first = pairs.first == 0 && end > 0;
  const std::size_t first_of_two = std::max<std::size_t>(pairs.first, 1);
  append(runs, pairs);
  if (has_first && extent % 2 == 0) append(runs, {extent / 2, 1, 1});
  if (end > first_of_two) append(runs, {extent - end + 1, 1, end - first_of_two});
  return runs;
}

ValueRun cyclic_values(std::size_t extent, std::size_t member, std::size_t members) {
  return {member, members, member < extent ? divided_up(extent - member, members) : 0};
}

ValueRun common_of(const ValueRun& a, const ValueRun& b) {
  if (a.step < b.step) return common_of(b, a);
  const std::size_t last = std::min(a.first + (a.count - 1) * a.step, b.first + (b.count - 1) * b.step);
  const std::size_t skipped = b.first > a.first ? divided_up(b.first - a.first, a.step) : 0;
  const std::size_t first = a.first + skipped * a.step;
  if (first > last || (first - b.first) % b.step != 0) return {0, 1, 0};
  return {first, a.step, (last - first) / a.step + 1};
}

}  // namespace

std::vector<ValueRun> values_of(const IndexDimension& dimension, std::size_t member, std::size_t members) {
  std::vector<ValueRun> runs;
  switch (dimension.spread) {
    case Spread::local:
      append(runs, {0, 1, dimension.extent});
      break;
    case Spread::block:
      append(runs, block_of(dimension.extent, member, members));
      break;
    case Spread::cyclic:
      append(runs, cyclic_values(dimension.extent, member, members));
      break;
    case Spread::conjugate_pairs:
      return values_of_pairs(dimension.extent, block_of(pair_count(dimension.extent), member, members));
  }
  return runs;
}

std::size_t owner_of(const IndexDimension& dimension, std::size_t value, std::size_t members) {
  switch (dimension.spread) {
    case Spread::local:
      return 0;
    case Spread::block:
      return value / divided_up(dimension.extent, members);
    case Spread::cyclic:
      return value % members;
    case Spread::conjugate_pairs:
      return pair_of(value, dimension.extent) / divided_up(pair_count(dimension.extent), members);
  }
  return 0;
}

std::size_t place_among(const std::vector<ValueRun>& runs, std::size_t value) {
  std::size_t place = 0;
  for (const ValueRun& run : runs) {
    if (value < run.first) break;
    place += std::min((value - run.first) / run.step, run.count);
    if (value < run.first + run.count * run.step) break;
  }
  return place;
}

std::size_t value_at(const std::vector<ValueRun>& runs, std::size_t place) {
  for (const ValueRun& run : runs) {
    if (place < run.count) return run.first + place * run.step;
    place -= run.count;
  }
  return 0;
}

std::size_t count_of(const std::vector<ValueRun>& runs) {
  std::size_t count = 0;
  for (const ValueRun& run : runs) count += run.count;
  return count;
}

std::vector<ValueRun> common_values(const std::vector<ValueRun>& a, const std::vector<ValueRun>& b) {
  std::vector<ValueRun> common;
  for (const ValueRun& in_a : a) {
    for (const ValueRun& in_b : b) {
      const ValueRun run = common_of(in_a, in_b);
      if (run.count > 0) common.push_back(run);
    }
  }
  return common;
}

bool is_whole(const Layout& layout, std::size_t dimension) {
  const IndexDimension& d = layout.dimensions()[dimension];
  return d.spread == Spread::local || layout.axis_members()[static_cast<std::size_t>(d.axis)] == 1;
}

}  // namespace cubefold::fft
