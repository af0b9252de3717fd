#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"
#include "exchange/pairing.hpp"

namespace cubefold {

/// Folds a grid onto one whose extents are powers of two, along one axis after the other: an axis of extent k = m + e,
/// for the greatest power of two m below it, is folded in one step. There the nodes at the odd coordinates below 2 e
/// leave, each to the node one coordinate below it. The nodes that stay keep their order, so inner coordinate c is
/// outer coordinate 2 c for c < e, and c + e from there on. Axes whose extents are powers of two are not folded. Each
/// member costs O(axes), and no memory of the size of the grid.
class CUBEFOLD_API Folding {
 public:
  explicit Folding(const Placement& placement, const AxisOrder& order = {});

  /// Returns the placement of the ranks that stay, which are numbered by nodes of the inner grid. If no axis is folded,
  /// it is the placement itself.
  const Placement& inner() const { return inner_; }

  std::size_t step_count() const { return axes_.size(); }

  Rank outer_rank(Rank inner) const;

  /// Returns the inner rank, or nothing if the rank leaves.
  std::optional<Rank> inner_rank(Rank outer) const;

  /// Returns the rank to which the rank leaves in this step, or nothing if it does not leave in this step.
  std::optional<Rank> receiver(Rank from, std::size_t step) const;

  /// Returns the rank that leaves to this rank in this step, or nothing.
  std::optional<Rank> sender(Rank to, std::size_t step) const;

  /// Returns the rank and all ranks that have left to it before the step, also by way of others. Requires that it has
  /// not left itself.
  std::vector<Rank> members(Rank rank, std::size_t step) const;

  /// Returns the number of members(rank, step).
  std::size_t member_count(Rank rank, std::size_t step) const;

 private:
  bool is_folded(int axis) const { return excess(axis) > 0; }
  std::uint32_t excess(int axis) const;
  bool leaves(GridNode node, int axis) const;
  bool has_left(GridNode node, std::size_t step) const;
  std::optional<GridNode> folded_node(GridNode node, int axis) const;

  Placement outer_;
  std::vector<int> axes_;  ///< those that are folded, in the order of the steps
  Placement inner_;
};

}  // namespace cubefold
