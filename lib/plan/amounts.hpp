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

/// A whole number of units, below 2^128.
// NOLINTNEXTLINE(modernize-use-using): an alias cannot be an extension.
__extension__ typedef unsigned __int128 Whole;

/// A number as its shortest decimal: digits * 10^exponent.
struct Decimal {
  std::uint64_t digits = 0;
  int exponent = 0;
};

/// The messages of one phase times its weight, in units of 10^exponent.
class PhaseAmounts {
 public:
  PhaseAmounts(double weight, int exponent);

  Whole operator()(double messages);

 private:
  Decimal weight_;
  int exponent_;
  double last_messages_ = 0;  ///< Traffic of one size is converted once.
  Whole last_amount_ = 0;
};

/// Messages times weights as whole numbers of one power of ten, so that their sums are exact in whatever order they are
/// taken and compare without a tolerance.
///
/// The unit is the largest power of ten of which all are multiples. Where the sum of all, each times the hops of the
/// longest route, would then have more than 37 digits, they are rounded to the unit that gives it 37.
class Amounts {
 public:
  /// Throws std::invalid_argument in the caller's name for weights and messages that are no amounts, and for one that
  /// rounding would leave less than three digits.
  Amounts(const char* caller, const Grid& grid, std::span<const Phase> phases);

  PhaseAmounts of(const Phase& phase) const;

  /// A sum of such, rounded once.
  double value(Whole sum) const;

  bool are_rounded() const { return are_rounded_; }

  /// A sum over messages of the phase without its weight. Requires a weight other than 0, and amounts that are not
  /// rounded.
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

/// What groups of ranks send each other in a phase: every pair once, in ascending order, none to itself, nothing of
/// amount 0.
struct GroupPhase {
  std::string name;
  std::vector<GroupMessage> messages;
};

/// Group = rank / per_node. The amounts are those of the phases. Throws std::invalid_argument in the caller's name for
/// a rank beyond the grid's groups, and for per_node 0.
std::vector<GroupPhase> between_groups(const char* caller, const Grid& grid, std::span<const Phase> phases,
                                       const Amounts& amounts, std::size_t per_node);

/// The same in doubles and of weight 1, for searches. They are exact below 2^53 units.
std::vector<Phase> as_phases(const std::vector<GroupPhase>& groups);

}  // namespace cubefold
