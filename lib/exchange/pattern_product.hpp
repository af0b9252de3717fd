#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "axis_pattern.hpp"
#include "cubefold/topology/route.hpp"
#include "direction_packing.hpp"

namespace cubefold {

/// Assigns the messages between all pairs of nodes of a grid to steps without conflicts. A message is given by its pair
/// of coordinates on each axis. Axis 0 is the first of a route.
///
/// Each axis has an AxisPattern. The product uses one group of every axis at a time, in all combinations. The form of a
/// combination is that of the group that takes the longest share of a link's time, q classes for g messages. If n of
/// its groups have this form, it takes q g^(n - 1) steps. If g = 1, the step of a message is
///
///     sum over axes of its class  (mod q),
///
/// and all other groups fit in if they have at most q classes. If g = 2 (q an odd prime) or g = q - 1 (q a prime, 4 or
/// 9), a step is given by b in F_q and by factors a_1 = 1, a_2, ..., a_n, which are 1 or -1 if g = 2 and any but 0
/// otherwise. A message with class x_i, source label u_i and destination label v_i on the axes i of this form is in the
/// step in which, for every i,
///
///     a_1 v_1 + ... + a_(i-1) v_(i-1) + a_i x_i + a_(i+1) u_(i+1) + ... + a_n u_n = b.
///
/// Two neighbouring equations give a_(i+1) = a_i (x_i - v_i) / (x_(i+1) - u_(i+1)), so there is one such step. The
/// messages on a line of axis i have the same v_k for k < i and the same u_k for k > i, because routes go along the
/// axes in order. So they are of one class in a step, and share no link. Two messages of one source in a step are of
/// one class on the first axis, hence on the same line of the second axis, and so on: they are the same message. A
/// permutation of m <= q / g classes fits in as well: it adds w(x) to all equations, where the sets w(x) + {1, -1} do
/// not meet. A group of two messages in fewer classes fits in as two permutations, one after the other.
class PatternProduct {
 public:
  /// Takes a pattern for each axis. If all ports may be used, combinations that use different directions of the axes
  /// run at the same time. Returns nothing if a group of some combination does not fit in. Costs O(product of the
  /// numbers of groups).
  static std::optional<PatternProduct> of(std::vector<AxisPattern> patterns, Ports ports);

  std::size_t step_count() const { return step_count_; }

  /// Returns the step of the message from one node to another, which are given by their coordinates. Costs O(axes).
  std::size_t step_of(const std::vector<std::uint32_t>& source,
                      const std::vector<std::uint32_t>& destination) const;

 private:
  /// The form of a combination and its number of steps, which is 0 if nobody moves.
  struct Form {
    std::uint32_t messages = 1;
    std::uint32_t class_count = 1;
    std::size_t step_count = 0;

    bool is_that_of(const ClassGroup& group) const {
      return messages > 1 && group.messages == messages && group.class_count == class_count;
    }
  };

  explicit PatternProduct(std::vector<AxisPattern> patterns) : patterns_(std::move(patterns)) {}

  template <typename GroupOn>
  std::optional<Form> form_of(GroupOn group_on) const;
  template <typename GroupOn>
  Directions directions_of(GroupOn group_on) const;
  bool assign_steps(Ports ports);
  template <typename PairOn>
  std::size_t step_within(const Form& form, PairOn pair_on) const;

  std::vector<AxisPattern> patterns_;
  std::vector<std::size_t> first_steps_;  ///< of each combination, with the group of axis 0 counting fastest
  std::optional<DirectionPacking> packing_;
  std::size_t step_count_ = 0;
};

}  // namespace cubefold
