#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "cubefold/transform/plan_options.hpp"
#include "program.hpp"
#include "strided_view.hpp"

namespace cubefold::fft {

/// A pass of one process over all of its points. It moves the points from the places of one view to those of another.
/// On the way it can transform one dimension in rows, which stay in the cache while they are multiplied by twiddles and
/// by a factor.
struct FusedStage {
  StridedView from;
  StridedView to;                  ///< has the same dimensions in the same order
  std::optional<std::size_t> row;  ///< dimension that is gathered into rows; without it points are only moved
  Kind kind = Kind::complex;
  Transform transform = Transform::forward;
  LineTransform line = LineTransform::fourier;
  bool of_pairs = false;   ///< whether rows of points are rows of twice as many real numbers
  std::size_t length = 0;  ///< points of a transform; 0 if points are only moved, all of `kind`

  /// The twiddle exponent is the frequency times the value of this dimension.
  std::optional<std::size_t> twiddled_with;
  std::vector<std::size_t> twiddle_values;  ///< values of that dimension, by place
  std::size_t twiddle_order = 0;
  double factor = 1;

  bool operator==(const FusedStage&) const = default;

  bool moves_real_points() const { return kind == Kind::real && length == 0; }
  bool has_real_input() const { return kind == Kind::real && transform == Transform::forward; }
  bool has_real_output() const { return kind == Kind::real && transform == Transform::inverse; }
};

/// Returns the stage that moves points from one view to another. Points go through rows if the view that is read and
/// the view that is written have different dimensions as neighbours in memory. Real points are moved one by one.
FusedStage copy_between(StridedView from, StridedView to, Kind kind = Kind::complex);

/// Returns the stage of the transforms, for points in a view `from` of the layout before them and a view `to` of the
/// layout after them.
FusedStage fused_transform(const TransformStage& stage, const Layout::Members& members,
                           const StridedView& from, StridedView to);

/// Returns whether the stage may run in place, because it writes the points that it reads at once back to the places
/// that they come from.
bool can_be_in_place(const FusedStage& stage);

/// Returns an estimate of the time that a stage takes of the memory, in reads and writes of its points. Costs are
/// higher if few points are neighbours in memory.
double memory_cost(const FusedStage& stage);

/// One side of a fused stage, cut into slices along a dimension: each value has the next `point_count` places.
struct Slices {
  std::size_t dimension;
  std::size_t count;        ///< number of values of the dimension
  std::size_t point_count;  ///< number of places of a value

  bool operator==(const Slices&) const = default;
};

/// Returns slices of every block of block_count places on the side that is read or written. Returns nothing if no
/// dimension has such slices.
std::optional<Slices> block_slices(const FusedStage& stage, std::size_t block_count, bool is_read);

/// Returns slices of the whole array that is read or written. Returns nothing if no dimension has such slices.
std::optional<Slices> array_slices(const FusedStage& stage, bool is_read);

}  // namespace cubefold::fft
