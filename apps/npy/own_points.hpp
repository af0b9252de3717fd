#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "cubefold/fft/layout.hpp"

namespace cubefold::npy {

/// Points of one process in a layout, numbered in the natural order of points, in which a file has them. In memory they may lie in
/// another.
class OwnPoints {
 public:
  OwnPoints(const fft::Layout& layout, const fft::Layout::Members& members);

  std::size_t count() const { return count_; }

  /// Of this process's points, how many come before `point`: the number of the first that does not. O(digits).
  std::size_t count_below(std::size_t point) const;

  /// Calls use(point, place, stride, length, step) for runs of the points first .. last - 1 by number: points point, point + step, ... at the
  /// places place, place + stride, ...
  template <typename Use>
  void for_each_run(std::size_t first, std::size_t last, Use use) const;

 private:
  /// The values of a digit that this process has are begin, begin + step, ...
  struct OwnDigit {
    std::size_t count;
    std::size_t begin;
    std::size_t step;
    std::size_t extent;
    std::size_t weight;
    std::size_t stride;  ///< places between neighbouring values in memory
  };

  /// How many of the digit's own values are below `value`.
  static std::size_t values_below(const OwnDigit& digit, std::size_t value);

  std::vector<OwnDigit> digits_;  ///< slowest in the natural order first; one at least
  std::size_t count_ = 1;
};

template <typename Use>
void OwnPoints::for_each_run(std::size_t first, std::size_t last, Use use) const {
  const OwnDigit& fastest = digits_.back();
  for (std::size_t number = first; number < last;) {
    const std::size_t value = number % fastest.count;
    std::size_t point = (fastest.begin + value * fastest.step) * fastest.weight;
    std::size_t place = value * fastest.stride;
    std::size_t rest = number / fastest.count;
    for (std::size_t d = digits_.size() - 1; d-- > 0;) {
      const OwnDigit& digit = digits_[d];
      point += (digit.begin + rest % digit.count * digit.step) * digit.weight;
      place += rest % digit.count * digit.stride;
      rest /= digit.count;
    }
    const std::size_t length = std::min(fastest.count - value, last - number);
    use(point, place, fastest.stride, length, fastest.step * fastest.weight);
    number += length;
  }
}

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
    std::size_t extent;
    std::size_t weight;
    fft::Spread spread;
    std::size_t members;
    std::size_t block;   ///< values in a row on one member
    std::size_t number;  ///< what a member counts in the number of a process
  };

  /// Points from this one on that the same process has, because of this digit.
  static std::size_t same_for(const SpreadDigit& digit, std::size_t point);
  int rank_of(std::size_t point) const;

  std::vector<SpreadDigit> digits_;  ///< those that are spread
  std::vector<int> ranks_;
};

template <typename Use>
void Owners::for_each_run(std::size_t first, std::size_t last, Use use) const {
  for (std::size_t point = first; point < last;) {
    std::size_t length = last - point;
    for (const SpreadDigit& digit : digits_) length = std::min(length, same_for(digit, point));
    use(rank_of(point), length);
    point += length;
  }
}

}  // namespace cubefold::npy
