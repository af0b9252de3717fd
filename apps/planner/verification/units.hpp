#pragma once

#include <span>

#include "planner/verification/messages.hpp"

namespace cubefold::planner {

/// A whole number of units, below 2^128.
// NOLINTNEXTLINE(modernize-use-using): an alias cannot be an extension.
__extension__ typedef unsigned __int128 Whole;

/// A power of ten that divides all weights times messages, so that they are added and compared without rounding. If the
/// sum of all, each times the most hops of a route, had more than 37 digits, they are rounded to that.
class Units {
 public:
  /// Throws std::invalid_argument if rounding would leave a number less than three digits.
  Units(std::span<const CheckedPhase> phases, double most_hops);

  Whole of(double weight, double messages) const;

  /// Returns a number of units as the nearest double.
  double number(Whole units) const;

 private:
  int exponent_ = 0;
};

}  // namespace cubefold::planner
