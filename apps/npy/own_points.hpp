#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "cubefold/fft/layout.hpp"

namespace cubefold::npy {

/// Points of one process in a layout, numbered in the natural order of points, in which a file has them. In memory
/// they may lie in another, and have padding between them.
class OwnPoints {
 public:
  OwnPoints(const fft::Layout& layout, const fft::Layout::Members& members);

  std::size_t count() const { return count_; }

  /// With padding: what memory must have room for.
  std::size_t place_count() const { return place_count_; }

  /// Of this process's points, how many come before `point`: the number of the first that does not. O(digits).
  std::size_t count_below(std::size_t point) const;

  /// Points that lie evenly: point, point + step, ... at the places place, place + stride, ...
  struct Run {
    std::size_t point;
    std::size_t step;
    std::size_t place;
    std::size_t stride;
    std::size_t length;
  };

  /// Calls use(Run) for the points first .. last - 1 by number.
  template <typename Use>
  void for_each_run(std::size_t first, std::size_t last, Use use) const;

  /// Calls use(point, place) for all points.
  template <typename Use>
  void for_each(Use use) const;

 private:
  struct OwnDigit {
    std::vector<fft::ValueRun> runs;  ///< ascending
    std::size_t count;
    std::size_t extent;
    std::size_t weight;
    std::size_t stride;  ///< places between neighbouring values in memory
  };

  static std::size_t value_of(const OwnDigit& digit, std::size_t number);
  static std::size_t values_below(const OwnDigit& digit, std::size_t value);

  /// The run that begins with the point of that number, as far as it goes.
  Run run_from(std::size_t number) const;

  std::vector<OwnDigit> digits_;  ///< slowest in the natural order first; one at least
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

/// The same points at the same places, but counted with the first axis of the shape fastest instead of the last.
/// Every digit of the layout belongs to one axis.
fft::Layout first_axis_fastest(const fft::Layout& layout, const std::vector<std::size_t>& shape);

/// Which process has which point: where the processes of a communicator are on the process axes of a layout.
class Owners {
 public:
  /// `ranks`: of the processes, by their members in mixed radix, the first axis slowest.
  Owners(const fft::Layout& layout, std::vector<int> ranks);

  /// Place in `ranks` of a process with these members.
  static std::size_t number_of(const fft::Layout& layout, const fft::Layout::Members& members);

  /// Calls use(rank, length) for runs of the points first .. last - 1 that one process has.
  template <typename Use>
  void for_each_run(std::size_t first, std::size_t last, Use use) const;

 private:
  struct SpreadDigit {
    std::size_t digit;   ///< of the layout
    std::size_t block;   ///< values in a row on one member
    std::size_t number;  ///< what a member counts in the number of a process
  };

  /// Points from this one on that the same process has, as far as this digit is concerned.
  std::size_t same_for(const SpreadDigit& spread, std::size_t point) const;
  std::size_t value_of(const SpreadDigit& spread, std::size_t point) const;

  /// Of a process, as far as this digit says which.
  std::size_t part_of_number(const SpreadDigit& spread, std::size_t point) const;

  fft::Layout layout_;
  std::vector<SpreadDigit> digits_;  ///< fastest in the natural order first
  std::vector<int> ranks_;
};

template <typename Use>
void Owners::for_each_run(std::size_t first, std::size_t last, Use use) const {
  if (digits_.empty()) {
    if (first < last) use(ranks_.front(), last - first);
    return;
  }
  const SpreadDigit& fastest = digits_.front();
  for (std::size_t point = first; point < last;) {
    // So far only the fastest digit decides; of cyclic ones that is all the way.
    std::size_t end = last;
    std::size_t number = 0;
    for (std::size_t d = 1; d < digits_.size(); ++d) {
      end = std::min(end, point + same_for(digits_[d], point));
      number += part_of_number(digits_[d], point);
    }
    while (point < end) {
      const std::size_t length = std::min(same_for(fastest, point), end - point);
      use(ranks_[number + part_of_number(fastest, point)], length);
      point += length;
    }
  }
}

}  // namespace cubefold::npy
