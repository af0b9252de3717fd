#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// Assigns the messages between all pairs of nodes to a given number of steps, so that messages of a step share no
/// link, with all ports. This is a search, for small grids on which a PatternProduct takes too many steps.
///
/// Nodes that a group of translations along the rings takes to each other do the same: one message of each orbit is
/// placed, and links count once for each orbit. Longer messages are placed first, each into the step where it meets
/// the cheapest messages. These are taken out and placed again later, and each costs more every time. The search is
/// the same on all processes.
class CUBEFOLD_API OrbitSteps {
 public:
  /// Searches for step_count steps. Returns nothing if none are found within a fixed amount of work, some 0.1 s. Takes
  /// O(step_count * links / orbit size + nodes^2 * hops / orbit size) memory.
  static std::optional<OrbitSteps> of(const Grid& grid, Tie tie, std::size_t step_count);

  std::size_t step_count() const { return step_count_; }

  /// Returns the step of the message from one node to another. Costs O(axes).
  std::size_t step_of(GridNode from, GridNode to) const;

 private:
  using Coordinates = std::vector<std::uint32_t>;

  OrbitSteps(Grid grid, Tie tie, std::size_t step_count);

  GridNode moved(GridNode node, GridNode by) const;
  bool keeps_links(const std::vector<GridNode>& group) const;
  std::vector<GridNode> with(const std::vector<GridNode>& group, GridNode generator) const;
  void find_group();
  void find_orbits();
  std::vector<std::size_t> links_of(GridNode from, GridNode to) const;
  bool place_all();

  Grid grid_;
  Tie tie_;
  std::size_t step_count_;
  std::vector<GridNode> group_;  ///< the translations, each as the node that it takes node 0 to
  std::vector<GridNode> back_;   ///< of each node, the translation that takes it to the first of its orbit
  std::vector<std::size_t> orbits_;  ///< number of the orbit of each node
  std::size_t orbit_count_ = 0;
  std::vector<std::uint32_t>
      steps_;  ///< of each message of the first node of an orbit, by orbit and destination
};

}  // namespace cubefold
