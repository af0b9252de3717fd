#pragma once

#include <span>

#include "planner/verification/messages.hpp"

namespace cubefold::planner {

/// A whole number of units, below 2^128.
// NOLINTNEXTLINE(modernize-use-using): an alias cannot be an extension.
__extension__ typedef unsigned __int128 Whole;

/// A power of ten of which weights times messages are multiples, so that they are added and compared without rounding.
/// Where the sum of all, each times as many hops as a route can have, would have more than 37 digits, they are rounded
/// to that.
class Units {
 public:
  /// Throws std::invalid_argument if one would be left less than three digits by that.
  Units(std::span<const CheckedPhase> phases, double most_hops);

  Whole of(double weight, double messages) const;

  /// A number of units as the nearest double.
  double number(Whole units) const;

 private:
  int exponent_ = 0;
};

}  // namespace cubefold::planner
