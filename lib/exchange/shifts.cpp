#include "shifts.hpp"

#include "embedding/closed_form.hpp"
#include "step_load.hpp"

namespace cubefold {

namespace {

/// Returns whether rank n runs on node n for every n, and closed forms hold for the grid.
bool ranks_are_nodes(const Placement& placement) {
  if (placement.grid().route_table() != nullptr) return false;
  for (std::uint32_t r = 0; r < placement.rank_count(); ++r) {
    if (placement.node_of(Rank{r}) != GridNode{r}) return false;
  }
  return true;
}

}  // namespace

ShiftSteps::ShiftSteps(const Placement& placement, Ports ports, Tie tie)
    : placement_(placement), ports_(ports), tie_(tie), ranks_are_nodes_(ranks_are_nodes(placement)) {}

// A million nodes have too many links to visit all of them for every step.
StepGroup ShiftSteps::step(const std::vector<Shift>& shifts) const {
  if (shifts.size() == 1 && ranks_are_nodes_) {
    const auto [offset, blocks] = shifts.front();
    return {1, blocks * closed_form::busiest_link_of_shift(placement_.grid(), offset, tie_), 1};
  }
  const std::size_t count = placement_.rank_count();
  StepLoad load(placement_, ports_, tie_);
  for (const auto& [offset, blocks] : shifts) {
    for (std::size_t r = 0; r < count; ++r) {
      const auto from = static_cast<Rank>(r);
      load.add(from, rank_above(from, offset, count), blocks);
    }
  }
  return load.group();
}

}  // namespace cubefold
