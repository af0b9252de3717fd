#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
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
  /// Takes the resources of each item, which are below resource_count. Takes step_count * resource_count numbers of
  /// memory.
  ItemPlacing(std::vector<Resources> items, std::size_t resource_count, std::size_t step_count);

  /// Returns whether all items have steps before `looks_left` is used up. A look is that for the user of one resource
  /// in one step; a placement takes at most step_count of them for each resource of the item.
  bool place_all(std::size_t& looks_left);

  /// Returns the step of each item after place_all() has returned true.
  const std::vector<std::uint32_t>& steps() const { return steps_; }

 private:
  std::uint32_t& user(std::size_t step, std::size_t resource) {
    return users_[step * resource_count_ + resource];
  }
  void wait(std::uint32_t item);
  std::uint64_t cost(std::uint32_t item, std::size_t step);
  std::size_t cheapest_step(std::uint32_t item);
  void put(std::uint32_t item, std::size_t step);
  void take_out(std::uint32_t item);

  std::vector<Resources> items_;
  std::vector<std::uint64_t> prices_;
  std::vector<std::uint32_t> steps_;
  std::size_t resource_count_;
  std::size_t step_count_;
  std::vector<std::uint32_t> users_;  ///< the item that uses each resource in each step
  std::vector<std::deque<std::uint32_t>>
      waiting_;  ///< items without a step, by resources; the last is the next
  std::uint64_t random_ = 88172645463325252U;
};

}  // namespace cubefold
