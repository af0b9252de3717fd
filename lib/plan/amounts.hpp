#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cubefold/plan/mapping.hpp"
#include "cubefold/plan/phase.hpp"
#include "cubefold/topology/grid.hpp"

namespace cubefold {

/// A whole number of units below 2^128.
// NOLINTNEXTLINE(modernize-use-using): an alias cannot be an extension.
__extension__ typedef unsigned __int128 Whole;

/// A number as its shortest decimal: digits * 10^exponent.
struct Decimal {
  std::uint64_t digits = 0;
  int exponent = 0;
};

/// Converts numbers of messages of one phase, times its weight, to units of 10^exponent.
class PhaseAmounts {
 public:
  PhaseAmounts(double weight, int exponent);

  Whole operator()(double messages);

 private:
  Decimal weight_;
  int exponent_;
  double last_messages_ = 0;  ///< the last argument; equal arguments in a row are converted once
  Whole last_amount_ = 0;
};

/// Converts messages times weights to whole multiples of one power of ten, so that sums are exact in any order and
/// compare without a tolerance.
///
/// The unit is the largest power of ten of which all amounts are multiples. If the sum of all amounts, each times the
/// hops of the longest route, would then have more than 37 digits, the amounts are rounded to the unit with which that
/// sum has 37 digits. If the links of the grid have different rates, the unit is a thousandth of that, so that times of
/// links can be compared, and the limit is 33 digits, which leaves room for the product with a rate.
class Amounts {
 public:
  /// Throws std::invalid_argument, with the caller's name, for weights and messages that are not amounts (is_amount()),
  /// and if rounding would leave less than four digits of an amount.
  Amounts(const char* caller, const Grid& grid, std::span<const Phase> phases);

  PhaseAmounts of(const Phase& phase) const;

  /// Returns a sum of amounts as a double, rounded once.
  double value(Whole sum) const;

  bool are_rounded() const { return are_rounded_; }

  /// Returns a sum over messages of the phase without the weight of the phase. Requires a weight other than 0, and
  /// amounts that are not rounded.
  double messages(Whole sum, const Phase& phase) const;

 private:
  void choose_unit(const char* caller, const Grid& grid, std::span<const Phase> phases);

  int exponent_ = 0;
  bool are_rounded_ = false;
};

inline ExactSum exact(Whole sum) {
  return {static_cast<std::uint64_t>(sum >> 64), static_cast<std::uint64_t>(sum)};
}

struct GroupMessage {
  Rank from;
  Rank to;
  Whole amount;  ///< messages times the weight of the phase
};

/// The messages between groups of ranks in a phase, in ascending order of pairs. Every pair of different groups occurs
/// at most once, and no amount is 0.
struct GroupPhase {
  std::string name;
  std::vector<GroupMessage> messages;
};

/// Returns the messages between the groups rank / per_node for each phase. Throws std::invalid_argument, with the
/// caller's name, for a rank outside of the grid's groups, and for per_node 0.
std::vector<GroupPhase> between_groups(const char* caller, const Grid& grid, std::span<const Phase> phases,
                                       const Amounts& amounts, std::size_t per_node);

/// Converts the messages between groups to phases of weight 1, for searches. The amounts are doubles, which are exact
/// below 2^53 units.
std::vector<Phase> as_phases(const std::vector<GroupPhase>& groups);

}  // namespace cubefold
