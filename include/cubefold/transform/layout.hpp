#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cubefold/export.h"

namespace cubefold::fft {

/// The distribution of the values of one index dimension over the members of a process axis.
enum class Spread : std::uint8_t {
  local,            ///< every member has all values
  block,            ///< ceil(extent / members) consecutive values; the last members may have fewer, or none
  cyclic,           ///< value v is with member v mod members
  conjugate_pairs,  ///< blocks of pairs {v, extent - v}; the first pair is 0 and, for even extents, extent / 2
};

/// One dimension of a point's index in mixed radix: the index is the sum of value * weight over all dimensions.
struct CUBEFOLD_API IndexDimension {
  std::size_t extent;
  std::size_t weight;
  Spread spread = Spread::local;
  int axis = 0;  ///< number of the process axis; without meaning for local dimensions

  bool operator==(const IndexDimension& other) const;
};

/// The `count` values first, first + step, ... of a dimension, which lie in consecutive places.
struct ValueRun {
  std::size_t first;
  std::size_t step;
  std::size_t count;

  bool operator==(const ValueRun&) const = default;
};

/// Says which points a process has and where they lie in its memory. The index of a point is split into dimensions of
/// mixed radix, each of which is local or spread over one process axis. In the memory of a process the last dimension
/// is fastest, and the values of each dimension ascend. Block, cyclic, block-cyclic and scrambled orders, slabs and
/// pencils are all such layouts.
class CUBEFOLD_API Layout {
 public:
  /// The coordinates of a process on the process axes.
  using Members = std::vector<std::size_t>;

  /// Builds the layout of one point on one process without axes.
  Layout() = default;

  /// Builds a layout from the dimensions, the slowest in memory first, and the number of members of each process axis.
  /// Indices from point_count on are padding; without point_count every index is a point. Throws std::invalid_argument
  /// unless all of this holds: The extents are positive. The dimensions sorted by weight are a mixed radix: the first
  /// weight is 1, and each other weight is the product of the extent and weight before it. The number of indices fits
  /// into 64 bits and is at least point_count. Each axis of several members spreads one dimension, and each axis of one
  /// member at most one.
  Layout(std::vector<IndexDimension> dimensions, std::vector<std::size_t> axis_members,
         std::optional<std::size_t> point_count = std::nullopt);

  /// Returns this layout with `places` places in memory for each row of the last dimension; those behind its values are
  /// padding. Throws std::invalid_argument unless the last dimension is local and has at most that many values.
  Layout with_row_places(std::size_t places) const;

  const std::vector<IndexDimension>& dimensions() const { return dimensions_; }
  const std::vector<std::size_t>& axis_members() const { return axis_members_; }
  std::size_t index_count() const { return index_count_; }  ///< product of the extents
  std::size_t point_count() const { return point_count_; }  ///< number of indices that are points
  std::size_t row_padding() const { return row_padding_; }  ///< places behind the values of each row

  /// These return, for one dimension, the number of values that the process has, the value at a place among them, and
  /// the values as at most three runs, which lie one behind the other in memory. Cost O(1).
  std::size_t dimension_count(std::size_t dimension, const Members& members) const;
  std::size_t dimension_at(std::size_t dimension, std::size_t place, const Members& members) const;
  std::vector<ValueRun> runs(std::size_t dimension, const Members& members) const;
  std::size_t largest_dimension_count(std::size_t dimension) const;  ///< the largest of all processes

  /// These return the member of its axis that has a value, and the value's place on that member. Local dimensions
  /// belong to member 0.
  std::size_t dimension_owner(std::size_t dimension, std::size_t value) const;
  std::size_t dimension_place(std::size_t dimension, std::size_t value) const;

  /// Returns the distance between neighbouring values of the dimension in the process's memory, which is the product of
  /// the counts of the later dimensions with the padding of rows.
  std::size_t stride(std::size_t dimension, const Members& members) const;

  /// Returns the number of places of a process, padding included.
  std::size_t local_count(const Members& members) const;
  std::size_t largest_local_count() const;  ///< the largest of all processes

  /// Returns the index at a place, which is a point if it is below point_count(). The index of padding behind a row is
  /// index_count(). owner() and place_of() are its
  /// inverse. Cost O(dimensions).
  std::size_t point_at(const Members& members, std::size_t place) const;
  Members owner(std::size_t point) const;  ///< coordinates; 0 on axes that spread nothing
  std::size_t place_of(std::size_t point) const;

  bool operator==(const Layout&) const = default;

 private:
  std::size_t members_of(std::size_t dimension) const;
  std::size_t padding_of(std::size_t dimension) const;
  std::size_t place_count(std::size_t dimension, const Members& members) const;

  std::vector<IndexDimension> dimensions_;
  std::vector<std::size_t> axis_members_;
  std::size_t index_count_ = 1;
  std::size_t point_count_ = 1;
  std::size_t row_padding_ = 0;
};

/// Returns extents and weights, slowest in memory first, as `[64 of 16, block over axis 0][16 of 1]`.
CUBEFOLD_API std::string to_string(const Layout& layout);

/// Returns whether every process has the same indices in the same places. The dimensions of the layouts may differ: a
/// spread dimension whose extent is divisible by its m members equals one of m values and a local one, and consecutive
/// local dimensions equal one. Returns false for layouts that agree only because uneven blocks happen to do so.
CUBEFOLD_API bool same_places(const Layout& a, const Layout& b);

}  // namespace cubefold::fft
