#pragma once

#include <span>

#include "planner/verification/messages.hpp"

namespace cubefold::planner {

/// A whole number of units, below 2^128.
// NOLINTNEXTLINE(modernize-use-using): an alias cannot be an extension.
__extension__ typedef unsigned __int128 Whole;

/// Returns ceil(amount / parts).
Whole ceil_quotient(Whole amount, Whole parts);

/// A power of ten as the unit of all products of weight and messages, so that sums are exact. The unit divides all
/// products. If the sum of all products times `most_hops` would have more than 37 digits in this unit, a larger unit is
/// used and the products are rounded to it. If sums are divided by rates, the unit is a thousandth of that, and the
/// limit is 33 digits.
class Units {
 public:
  /// Chooses the unit. Throws std::invalid_argument if products must be rounded and one of them is below 1000 units.
  Units(std::span<const CheckedPhase> phases, double most_hops, bool has_rates);

  /// Returns weight times messages in units.
  Whole of(double weight, double messages) const;

  /// Returns a number of units as the nearest double.
  double number(Whole units) const;

 private:
  int exponent_ = 0;
};

}  // namespace cubefold::planner
