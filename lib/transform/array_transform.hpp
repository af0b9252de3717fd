#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "cubefold/transform/plan_options.hpp"
#include "program.hpp"
#include "strided_view.hpp"

namespace cubefold::fft {

/// Transforms of several dimensions at once, for every value of the others, from one view to another: one plan of FFTW.
/// All distances are equal within each dimension. Both views have the same dimensions in the same order, the batch
/// first.
struct ArrayTransform {
  StridedView from;
  StridedView to;
  std::vector<std::size_t> rows;     ///< dimensions that are transformed; of real numbers, the last is halved
  std::vector<std::size_t> lengths;  ///< points of each of them
  Kind kind = Kind::complex;
  Transform transform = Transform::forward;
  double factor = 1;

  bool operator==(const ArrayTransform&) const = default;

  bool has_real_input() const { return kind == Kind::real && transform == Transform::forward; }
  bool has_real_output() const { return kind == Kind::real && transform == Transform::inverse; }
};

/// Returns whether every point may be written to the place that it is read from.
bool can_be_in_place(const ArrayTransform& transform);

/// Returns the number of the first stages that can be one ArrayTransform: transforms without twiddles of different
/// dimensions. Real numbers are the input of the first or the output of an only one, because FFTW overwrites the input
/// of inverse transforms of real numbers of several dimensions.
std::size_t joined_count(std::span<const Stage> stages);

/// Returns these stages, at least one, as one transform, for points in this view of the layout before them. Returns
/// nothing if distances are unequal.
std::optional<ArrayTransform> joined(std::span<const Stage> stages, const StridedView& from,
                                     const StridedView& to);

}  // namespace cubefold::fft
