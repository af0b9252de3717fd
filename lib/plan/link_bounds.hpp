#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "amounts.hpp"
#include "cubefold/topology/grid.hpp"
#include "least_hops.hpp"
#include "link_rates.hpp"

namespace cubefold {

/// The messages of some phases taken as one, without a copy of them.
class Messages {
 public:
  explicit Messages(std::span<const GroupPhase> groups) : groups_(groups) {}

  std::span<const GroupPhase> groups() const { return groups_; }

  bool are_none() const {
    return std::ranges::all_of(groups_, [](const GroupPhase& group) { return group.messages.empty(); });
  }

  template <typename Visit>
  void for_each(Visit visit) const {
    for (const GroupPhase& group : groups_) std::ranges::for_each(group.messages, visit);
  }

 private:
  std::span<const GroupPhase> groups_;
};

inline Messages alone(const GroupPhase& group) {
  return Messages({&group, 1});
}

/// A bound in units of the amounts.
struct Bound {
  Whole value;
  std::string source;
};

inline Whole divided_up(Whole dividend, Whole divisor) {
  return (dividend + divisor - 1) / divisor;
}

/// Rounds a load up to a multiple of the greatest common divisor of all amounts. Loads of links are such multiples.
Whole whole_messages(Whole load, const Messages& messages);

/// The rates of the links that leave or enter every node, in descending order, of all links together, and of the
/// fastest link. Only links that routes use count.
struct Capacities {
  std::vector<Whole> out;
  std::vector<Whole> in;
  Whole all = 0;
  Whole fastest = 0;
};

/// Computes lower bounds for sets of messages on one grid. lower_bound() says how.
class LinkBounds {
 public:
  /// Keeps a reference to the grid. Costs O(nodes * axes), or O(nodes^2) with a route table.
  explicit LinkBounds(const Grid& grid);

  /// Returns a bound of the hops of all messages together.
  Whole hops(const Messages& messages) const { return divided_up(twice(least_hops(messages)), 2); }

  /// Returns whether every group sends the same amount to every other group.
  bool is_complete(const GroupPhase& group) const;

  /// Returns the hops of a complete exchange, which are the same under every placement.
  Whole hops_of_complete(const GroupPhase& group) const;

  /// Returns the bound of the busiest link by hops, ports or the largest message, whichever is the largest, rounded up
  /// to whole messages.
  Bound busiest_link(const Messages& messages) const;

  /// Returns a bound of the busiest link of one phase, rounded up to whole messages. For a complete exchange this may
  /// be the load by its routes, which are the same under every placement.
  Bound busiest_link(const GroupPhase& group) const;

  /// Rounds a load of a link up to whole messages, unless loads are divided by rates.
  Whole rounded_up(Whole load, const Messages& messages) const;

 private:
  LeastHops least_hops(const Messages& messages) const;
  static Whole twice(const LeastHops& least);
  Whole ports(const Messages& messages) const;
  Whole busiest_port(const std::vector<Whole>& descending, const std::vector<Whole>& capacities) const;
  Whole longest_time_of_complete(Whole amount) const;
  const std::vector<std::uint64_t>& complete_loads() const;

  const Grid& grid_;
  LinkRates rates_;
  std::vector<std::size_t> within_;  ///< the largest number of nodes within h hops of any node
  Capacities capacities_;
  /// The loads of links if each node sends one message to every other. They are counted when they are needed.
  mutable std::optional<std::vector<std::uint64_t>> complete_loads_;
};

}  // namespace cubefold
