#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "cubefold/exchange/method.hpp"
#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"
#include "schedule/item_placing.hpp"

namespace cubefold {

/// Assigns the messages between all pairs of nodes to few steps, so that messages of a step share no link and, with
/// one port, no port. This is a search with place_in_few_steps(), for small grids on which a PatternProduct takes more
/// steps than least_steps(). It is the same on all processes.
///
/// Nodes that a group of translations along the rings takes to each other do the same: one message of each orbit is
/// placed, and links and ports count once for each orbit.
class CUBEFOLD_API OrbitSteps {
 public:
  /// Searches for at most most_steps steps, and for fewer until there are least_steps. Returns nothing if it does not
  /// find most_steps within a fixed amount of work, some 0.05 s, or 0.2 s with an extent above
  /// 16. Takes O(most_steps * links / orbit size + nodes^2 * hops / orbit size) memory.
  static std::optional<OrbitSteps> of(const Grid& grid, const NetworkRules& rules, std::size_t most_steps,
                                      std::size_t least_steps);

  std::size_t step_count() const { return step_count_; }

  /// Returns the step of the message from one node to another. Costs O(axes).
  std::size_t step_of(GridNode from, GridNode to) const;

 private:
  using Coordinates = std::vector<std::uint32_t>;

  OrbitSteps(Grid grid, const NetworkRules& rules);

  GridNode moved(GridNode node, GridNode by) const;
  bool keeps_links(const std::vector<GridNode>& group) const;
  std::vector<GridNode> with(const std::vector<GridNode>& group, GridNode generator) const;
  void find_group();
  void find_orbits();
  Resources resources_of(GridNode from, GridNode to) const;
  bool place_all(std::size_t most_steps, std::size_t least_steps);

  Grid grid_;
  NetworkRules rules_;
  std::size_t step_count_ = 0;
  std::vector<GridNode> group_;  ///< the translations, each as the node that it takes node 0 to
  std::vector<GridNode> back_;   ///< of each node, the translation that takes it to the first of its orbit
  std::vector<std::size_t> orbits_;  ///< number of the orbit of each node
  std::size_t orbit_count_ = 0;
  std::vector<std::uint32_t>
      steps_;  ///< of each message of the first node of an orbit, by orbit and destination
};

}  // namespace cubefold
