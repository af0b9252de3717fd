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
  local,            ///< every member has all of them
  block,            ///< ceil(extent / members) in a row each; the last members may have fewer, or none
  cyclic,           ///< value v is with member v mod members
  conjugate_pairs,  ///< blocks of pairs v and (extent - v) mod extent, of which 0 and extent / 2 are one
};

/// One dimension of a point's index in mixed radix: the index is the sum of value * weight over all dimensions.
struct CUBEFOLD_API IndexDimension {
  std::size_t extent;
  std::size_t weight;
  Spread spread = Spread::local;
  int axis = 0;  ///< process axis; without meaning for local dimensions

  bool operator==(const IndexDimension& other) const;
};

/// The values first, first + step, ... of a dimension, which lie in consecutive places.
struct ValueRun {
  std::size_t first;
  std::size_t step;
  std::size_t count;

  bool operator==(const ValueRun&) const = default;
};

/// Says which points a process has, and where in its memory. The index of a point is cut into dimensions of mixed
/// radix, each of which is local or spread over one process axis. A process's points lie with the last dimension
/// fastest and the values of each dimension ascending. Block, cyclic, block-cyclic and scrambled orders, slabs and
/// pencils are all such layouts.
class CUBEFOLD_API Layout {
 public:
  /// The coordinates of a process on the process axes.
  using Members = std::vector<std::size_t>;

  /// Makes the layout of one point on one process without axes.
  Layout() = default;

  /// Takes the dimensions, slowest in memory first, and the number of members of each process axis. Places of indices
  /// from point_count on (all have points unless it is given) are padding. Throws std::invalid_argument unless sorted
  /// by weight the dimensions are a mixed radix (weight 1 first, then each the product of extent and weight of the one
  /// before), extents are positive, and each axis of more than one member spreads one dimension, of one member one at
  /// most.
  Layout(std::vector<IndexDimension> dimensions, std::vector<std::size_t> axis_members,
         std::optional<std::size_t> point_count = std::nullopt);

  const std::vector<IndexDimension>& dimensions() const { return dimensions_; }
  const std::vector<std::size_t>& axis_members() const { return axis_members_; }
  std::size_t index_count() const { return index_count_; }  ///< the product of the extents
  std::size_t point_count() const { return point_count_; }  ///< indices below it are points

  /// These return, for one dimension, how many values the process has, which value is at a place among them, and the
  /// values as at most three runs, one behind the other in memory. Cost O(1).
  std::size_t dimension_count(std::size_t dimension, const Members& members) const;
  std::size_t dimension_at(std::size_t dimension, std::size_t place, const Members& members) const;
  std::vector<ValueRun> runs(std::size_t dimension, const Members& members) const;
  std::size_t largest_dimension_count(std::size_t dimension) const;  ///< of all processes

  /// These return which member of its axis has a value, and at which place among its values; member 0 has local
  /// dimensions.
  std::size_t dimension_owner(std::size_t dimension, std::size_t value) const;
  std::size_t dimension_place(std::size_t dimension, std::size_t value) const;

  /// Returns the distance of neighbouring values of the dimension in the process's memory: the product of the counts of
  /// later dimensions.
  std::size_t stride(std::size_t dimension, const Members& members) const;

  /// Returns how many places a process has, padding included.
  std::size_t local_count(const Members& members) const;
  std::size_t largest_local_count() const;  ///< of all processes

  /// Returns the index at a place, which is a point if it is below point_count(). Inverse of owner() and place_of().
  /// Cost O(dimensions).
  std::size_t point_at(const Members& members, std::size_t place) const;
  Members owner(std::size_t point) const;  ///< 0 on axes that spread nothing
  std::size_t place_of(std::size_t point) const;

  bool operator==(const Layout&) const = default;

 private:
  std::size_t members_of(std::size_t dimension) const;

  std::vector<IndexDimension> dimensions_;
  std::vector<std::size_t> axis_members_;
  std::size_t index_count_ = 1;
  std::size_t point_count_ = 1;
};

/// Returns extents and weights, slowest in memory first, as `[64 of 16, block over axis 0][16 of 1]`.
CUBEFOLD_API std::string to_string(const Layout& layout);

/// Returns whether every process has the same indices in the same places. Dimensions may be cut differently: a spread
/// dimension that the members divide is one of `members` values and a local one, and local dimensions that follow one
/// another are one. Layouts that agree by the chance of uneven blocks are called different.
CUBEFOLD_API bool same_places(const Layout& a, const Layout& b);

}  // namespace cubefold::fft
