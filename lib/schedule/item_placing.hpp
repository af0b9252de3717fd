#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <vector>

#include "cubefold/export.h"

namespace cubefold {

/// Numbers links, ports or whatever else only one message of a step can use.
using Resources = std::vector<std::size_t>;

/// Searches for steps of items so that the items of a step share no resource. Items with more resources are placed
/// first, each into the step in which it meets the cheapest items. These are taken out and placed again later, and each
/// costs more every time. The search is the same on all processes.
class CUBEFOLD_API ItemPlacing {
 public:
  static constexpr std::size_t steps_at_once = 16;  ///< whose costs are computed together

  /// Takes the resources of each item, which are below resource_count. Takes
  /// 2 * (step_count + steps_at_once) * resource_count numbers of memory.
  ItemPlacing(std::vector<Resources> items, std::size_t resource_count, std::size_t step_count);

  /// Returns whether all items have steps before `looks_left` is used up. A look is that for the user of one resource
  /// in one step. No placement begins without a look left, and the last one ends.
  bool place_all(std::size_t& looks_left);

  /// Takes the items out of the step in which the fewest resources are used, and removes the step; the last step gets
  /// its number. Requires two steps or more and that place_all() has returned true. Costs O(items + resources).
  void dissolve_a_step();

  std::size_t step_count() const { return step_count_; }

  /// Returns the step of each item after place_all() has returned true.
  const std::vector<std::uint32_t>& steps() const { return steps_; }

 private:
  struct CheapestStep {
    std::size_t step;
    std::uint32_t cost = std::numeric_limits<std::uint32_t>::max();
  };

  std::size_t place_of(std::size_t resource, std::size_t step) const { return resource * stride_ + step; }
  void wait(std::uint32_t item);
  std::array<std::uint32_t, steps_at_once> costs(std::uint32_t item, std::size_t first_step) const;
  std::size_t cheapest_step(std::uint32_t item, std::size_t& looks_left);
  void look(std::uint32_t item, std::size_t begin, std::size_t end, CheapestStep& cheapest,
            std::size_t& looks_left) const;
  void put(std::uint32_t item, std::size_t step);
  void take_out(std::uint32_t item);

  std::vector<Resources> items_;
  std::vector<std::uint32_t> prices_;  ///< at most looks / resources of the item, so that sums fit
  std::vector<std::uint32_t> steps_;
  std::size_t resource_count_;
  std::size_t
      stride_;  ///< numbers of a resource in users_: one for each step, of which step_count_ are in use, and padding
  std::size_t step_count_;
  std::vector<std::uint32_t> users_;         ///< the item that uses each resource in each step, by resource
  std::vector<std::uint32_t> users_prices_;  ///< the prices of these items, 0 for nobody
  std::vector<std::deque<std::uint32_t>>
      waiting_;  ///< items without a step, by resources; the last is the next
  std::uint64_t random_ = 88172645463325252U;
};

/// Returns the looks of ItemPlacing that it takes to place each item once if no step before the last one is free.
CUBEFOLD_API std::size_t looks_to_place_once(const std::vector<Resources>& items, std::size_t step_count);

/// Says how far a search for few steps goes.
struct PlacingLimits {
  std::size_t most_steps;   ///< with which the search begins
  std::size_t least_steps;  ///< with which it ends, at least 1
  std::size_t looks;        ///< of ItemPlacing::place_all() for all numbers of steps together
};

/// Holds the step of each item.
struct PlacedItems {
  std::vector<std::uint32_t> steps;
  std::size_t step_count;
};

/// Searches with ItemPlacing for few steps. Items are placed into limits.most_steps steps. Then one step after the
/// other is dissolved and its items are placed into those that are left, until least_steps are left or the looks are
/// used up. Returns the last placement of all items, or nothing if the looks do not suffice for the first one. The
/// result is the same on all processes. Takes 2 * most_steps * resource_count numbers of memory.
CUBEFOLD_API std::optional<PlacedItems> place_in_few_steps(std::vector<Resources> items,
                                                           std::size_t resource_count,
                                                           const PlacingLimits& limits);

}  // namespace cubefold
