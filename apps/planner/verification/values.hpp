#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "planner/verification/messages.hpp"
#include "planner/verification/network.hpp"
#include "planner/verification/units.hpp"

namespace cubefold::planner {

/// The counted values of an order, with which the claims of a certificate are compared.
struct CheckedValues {
  std::vector<double> busiest_link;  ///< messages on the busiest link, for each phase
  double together = 0;
  double average_hops = 0;
  double hop_bytes = 0;
  double value = 0;  ///< value of the objective
  Whole exact_value = 0;
};

/// Counts the messages of phases on the links of a network for one order after another.
class LinkCount {
 public:
  /// The largest number of hops of all orders together.
  static constexpr std::uint64_t most_hops = 10'000'000'000;

  /// Keeps references to both arguments. Throws std::invalid_argument as Units does.
  LinkCount(const Network& network, const std::vector<CheckedPhase>& phases);

  /// Returns the units in which products of weight and messages are counted.
  const Units& units() const { return weighted_; }

  /// Returns the number of messages of a phase, without its weight.
  double messages_of(std::size_t phase) const;

  /// Returns the values of an order, counted message by message and hop by hop. The objective is busiest-links,
  /// together or hop-bytes. Throws std::runtime_error before the hops of all orders exceed most_hops. Costs
  /// O(messages * hops + phases).
  CheckedValues values_of(const std::vector<std::size_t>& node_of_rank, const std::string& objective);

 private:
  struct Load {
    Whole messages = 0;  ///< messages of the current phase, in units of this phase alone
    Whole weighted = 0;  ///< weight times messages of the current phase
    Whole together = 0;  ///< weight times messages of all earlier phases
  };
  struct Sums {
    Whole busiest_messages = 0;
    Whole busiest_weighted = 0;
    Whole hops = 0;
    Whole messages = 0;
  };

  void require_few_hops(const std::vector<std::size_t>& node_of_rank);
  Sums sums_of(std::size_t phase, const std::vector<std::size_t>& node_of_rank);
  Whole take_busiest_together();

  const Network& network_;
  const std::vector<CheckedPhase>& phases_;
  std::vector<Units> alone_;  ///< units of each phase without its weight
  Units weighted_;
  std::vector<Load> loads_;  ///< by number of the link; all 0 between orders
  std::vector<std::size_t> used_links_;
  std::uint64_t hops_ = 0;  ///< hops of all orders so far
};

/// Returns whether two numbers are equal up to a relative error of 2^-50, which readers and writers of text may cause.
bool are_equal(double a, double b);

/// A list of errors, one line each. The length of a line is bounded, and at most most_lines lines are kept.
class Faults {
 public:
  static constexpr std::size_t most_lines = 20;

  /// Adds a line and returns false, so that a check can return the result.
  template <typename... Parts>
  bool add(fmt::format_string<Parts...> text, Parts&&... parts) {
    if (count_++ < most_lines) keep(fmt::format(text, std::forward<Parts>(parts)...));
    return false;
  }

  /// Adds a line if the two numbers are not equal by are_equal().
  void compare(const std::string& key, double claimed, double right);

  std::size_t count() const { return count_; }

  /// Returns the lines. If there were more than most_lines errors, a further line has the number of the missing ones.
  std::vector<std::string> lines() const;

 private:
  void keep(const std::string& line);

  std::size_t count_ = 0;
  std::vector<std::string> lines_;
};

}  // namespace cubefold::planner
