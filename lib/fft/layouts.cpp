#include "cubefold/fft/layouts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "cubefold/fft/block_cyclic.hpp"

namespace cubefold::fft {

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
  std::vector<Digit> digits(extents.size());
  std::size_t weight = 1;
  for (std::size_t i = extents.size(); i-- > 0; weight *= extents[i]) digits[i] = {extents[i], weight};
  for (std::size_t axis = 0; axis < dimensions.size(); ++axis) {
    if (dimensions[axis] >= digits.size() || digits[dimensions[axis]].spread != Spread::local) {
      throw std::invalid_argument(
          fmt::format("array_layout: dimension {} of process axis {} is not one of the array's {}, or taken",
                      dimensions[axis], axis, extents.size()));
    }
    digits[dimensions[axis]].spread = Spread::block;
    digits[dimensions[axis]].axis = static_cast<int>(axis);
  }
  return {std::move(digits), axis_members};
}

}  // namespace cubefold::fft
