#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "cubefold/transform/layout.hpp"

namespace cubefold::npy {

/// The points of one process in a layout, numbered in the natural order of a file. In memory they may have another
/// order and padding between them.
class OwnPoints {
 public:
  OwnPoints(const fft::Layout& layout, const fft::Layout::Members& members);

  std::size_t count() const { return count_; }

  /// Returns the number of places in memory, with padding.
  std::size_t place_count() const { return place_count_; }

  /// Returns the number of points of this process that come before `point` in natural order. The first point of this
  /// process that does not come before `point` has this number. Costs O(dimensions).
  std::size_t count_below(std::size_t point) const;

  /// A run of evenly spaced points: point, point + step, ... at the places place, place + stride, ...
  struct Run {
    std::size_t point;
    std::size_t step;
    std::size_t place;
    std::size_t stride;
    std::size_t length;
  };

  /// Calls use(Run) for the points of this process with the numbers first .. last - 1.
  template <typename Use>
  void for_each_run(std::size_t first, std::size_t last, Use use) const;

  /// Calls use(point, place) for all points of this process.
  template <typename Use>
  void for_each(Use use) const;

 private:
  struct OwnDimension {
    std::vector<fft::ValueRun> runs;  ///< ascending
    std::size_t count;
    std::size_t extent;
    std::size_t weight;
    std::size_t stride;  ///< places between neighbouring values in memory
  };

  static std::size_t value_of(const OwnDimension& dimension, std::size_t number);
  static std::size_t values_below(const OwnDimension& dimension, std::size_t value);

  /// Returns the longest run that begins with the point of this number.
  Run run_from(std::size_t number) const;

  std::vector<OwnDimension> dimensions_;  ///< slowest in natural order first; at least one
  std::size_t place_count_ = 1;
  std::size_t count_ = 0;
};

template <typename Use>
void OwnPoints::for_each_run(std::size_t first, std::size_t last, Use use) const {
  for (std::size_t number = first; number < last;) {
    Run run = run_from(number);
    run.length = std::min(run.length, last - number);
    use(run);
    number += run.length;
  }
}

template <typename Use>
void OwnPoints::for_each(Use use) const {
  for_each_run(0, count_, [&](const Run& run) {
    for (std::size_t i = 0; i < run.length; ++i) use(run.point + i * run.step, run.place + i * run.stride);
  });
}

/// Returns a layout that has the same points at the same places, but numbers them with the first axis of the shape
/// fastest. Every dimension of the layout must belong to one axis of the shape.
fft::Layout first_axis_fastest(const fft::Layout& layout, const std::vector<std::size_t>& shape);

/// Tells which process of a communicator has which point, from the members of the processes in the layout.
class Owners {
 public:
  /// ranks[number_of(layout, members)] is the rank of the process with these members.
  Owners(const fft::Layout& layout, std::vector<int> ranks);

  /// Returns the number of the process with these members: the members in mixed radix, with the first axis slowest.
  static std::size_t number_of(const fft::Layout& layout, const fft::Layout::Members& members);

  /// Calls use(rank, length) for runs of the points first .. last - 1 that one process has.
  template <typename Use>
  void for_each_run(std::size_t first, std::size_t last, Use use) const;

 private:
  struct SpreadDimension {
    std::size_t dimension;  ///< number of the dimension in the layout
    std::size_t block;      ///< length of the blocks; 1 for all distributions but block
    std::size_t number;     ///< weight of the member in the number of a process
  };

  /// Returns how many points from `point` on are in the same block of this dimension, so that it does not change their
  /// owner.
  std::size_t same_for(const SpreadDimension& spread, std::size_t point) const;
  std::size_t value_of(const SpreadDimension& spread, std::size_t point) const;

  /// Returns the part of a process number that this dimension contributes.
  std::size_t part_of_number(const SpreadDimension& spread, std::size_t point) const;

  fft::Layout layout_;
  std::vector<SpreadDimension> dimensions_;  ///< fastest in the natural order first
  std::vector<int> ranks_;
};

template <typename Use>
void Owners::for_each_run(std::size_t first, std::size_t last, Use use) const {
  if (dimensions_.empty()) {
    if (first < last) use(ranks_.front(), last - first);
    return;
  }
  const SpreadDimension& fastest = dimensions_.front();
  for (std::size_t point = first; point < last;) {
    // Before `end`, only the fastest dimension changes the owner. The others contribute the constant `number`.
    std::size_t end = last;
    std::size_t number = 0;
    for (std::size_t d = 1; d < dimensions_.size(); ++d) {
      end = std::min(end, point + same_for(dimensions_[d], point));
      number += part_of_number(dimensions_[d], point);
    }
    while (point < end) {
      const std::size_t length = std::min(same_for(fastest, point), end - point);
      use(ranks_[number + part_of_number(fastest, point)], length);
      point += length;
    }
  }
}

}  // namespace cubefold::npy
