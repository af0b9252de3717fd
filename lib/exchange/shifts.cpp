#include "shifts.hpp"

#include <algorithm>

#include "embedding/closed_form.hpp"
#include "step_load.hpp"

namespace cubefold {

namespace {

/// Calls visit(from, to, blocks) for every message of the shifts.
template <typename Visit>
void for_each_message(const std::vector<Shift>& shifts, std::size_t rank_count, Visit visit) {
  for (const auto& [offset, blocks] : shifts) {
    for (std::size_t r = 0; r < rank_count; ++r) {
      const auto from = static_cast<Rank>(r);
      visit(from, rank_above(from, offset, rank_count), blocks);
    }
  }
}

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

// Uses a formula if there is one: a million nodes have too many links to visit all of them for every step.
RatedLoad ShiftSteps::longest_load(const std::vector<Shift>& shifts) const {
  if (shifts.size() == 1 && ranks_are_nodes_) {
    const auto [offset, blocks] = shifts.front();
    return {blocks * closed_form::busiest_link_of_shift(placement_.grid(), offset, tie_)};
  }
  LinkLoads loads(placement_.grid(), tie_);
  for_each_message(shifts, placement_.rank_count(), [&](Rank from, Rank to, std::uint64_t blocks) {
    loads.add(placement_.node_of(from), placement_.node_of(to), blocks);
  });
  return loads.longest();
}

StepGroup ShiftSteps::step(const std::vector<Shift>& shifts) const {
  if (ports_ == Ports::all && shifts.size() > 1) {
    StepLoad load(placement_, ports_, tie_);
    for_each_message(shifts, placement_.rank_count(),
                     [&](Rank from, Rank to, std::uint64_t blocks) { load.add(from, to, blocks); });
    return load.group();
  }
  std::uint64_t sent = 0;  // by each rank, which receives as much
  for (const Shift& shift : shifts) sent += shift.blocks;
  const RatedLoad longest = longest_load(shifts);
  StepGroup step{1, longest.messages, shifts.size()};
  step.rate = longest.rate;
  step.raise_to(sent);
  return step;
}

}  // namespace cubefold
