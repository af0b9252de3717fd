#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cubefold/schedule/conflict.hpp"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// Permutation k of all axes that have one and on which it moves anybody, side by side.
struct LinesRound {
  struct Along {
    std::size_t axis;           ///< among LinesRounds::axes()
    std::uint32_t class_count;  ///< of the axis's permutation
    std::size_t begin;          ///< where in the round the messages of class 0 are
  };

  std::size_t first_step;
  std::size_t step_count;
  std::vector<Along> along;

  /// The step, within the round, of a message along an axis; `classes` is that of LinesRounds::adds_classes().
  std::size_t step_of(const Along& axis, std::size_t classes) const {
    return (axis.begin + classes) % step_count;
  }
};

/// In which steps a LinesPhase takes its permutations. It follows from the shapes of the permutations, so that steps
/// can be counted without making them.
class LinesRounds {
 public:
  /// Most of the cost is that of permutation_shapes().
  LinesRounds(const Grid& grid, Ports ports, Tie tie);

  /// Those of more than one node.
  const std::vector<int>& axes() const { return axes_; }
  const std::vector<LinesRound>& rounds() const { return rounds_; }
  std::size_t step_count() const { return step_count_; }

  /// Whether the classes of a node on all axes of a round say together when it sends, or each that of its own axis.
  bool adds_classes() const { return adds_classes_; }

 private:
  std::vector<int> axes_;
  std::vector<LinesRound> rounds_;
  bool adds_classes_ = false;
  std::size_t step_count_ = 0;
};

}  // namespace cubefold
