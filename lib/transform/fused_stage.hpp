#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "cubefold/transform/transform.hpp"
#include "strided_view.hpp"

namespace cubefold::fft {

/// What a process does to all of its points in one sweep over its memory: it brings them from the places of one view to
/// those of another, and on the way transforms one dimension in rows, which stay in the cache while they are multiplied
/// by twiddles and by a factor.
struct FusedStage {
  StridedView from;
  StridedView to;  ///< the same dimensions in the same order
  std::optional<std::size_t>
      row;  ///< the dimension that is gathered into rows; without one, points are only moved
  Kind kind = Kind::complex;
  Transform transform = Transform::forward;
  std::size_t length = 0;  ///< points of a transform; 0: rows are not transformed
  std::optional<std::size_t>
      twiddled_with;  ///< the dimension whose value times the frequency is the twiddle exponent
  std::vector<std::size_t> twiddle_values;  ///< of that dimension's places
  std::size_t twiddle_order = 0;
  double factor = 1;

  bool operator==(const FusedStage&) const = default;

  bool has_real_input() const { return kind == Kind::real && transform == Transform::forward; }
  bool has_real_output() const { return kind == Kind::real && transform == Transform::inverse; }
};

/// Returns whether the stage writes the points that it reads together to the places that they come from.
bool can_be_in_place(const FusedStage& stage);

/// Estimates the time that a stage takes of the memory, in reads and writes of its points. Neighbours in memory that
/// are few cost more.
double memory_cost(const FusedStage& stage);

/// One side of a fused stage cut along a dimension: each value of it has the next `point_count` places.
struct Slices {
  std::size_t dimension;
  std::size_t count;        ///< values of the dimension
  std::size_t point_count;  ///< places of a value

  bool operator==(const Slices&) const = default;
};

/// Returns the dimension that cuts every block of the side that is read, or written; nothing where no dimension does.
std::optional<Slices> block_slices(const FusedStage& stage, std::size_t block_count, bool is_read);

/// Returns the dimension that cuts the whole array that is read, or written; nothing where no dimension does.
std::optional<Slices> array_slices(const FusedStage& stage, bool is_read);

}  // namespace cubefold::fft
