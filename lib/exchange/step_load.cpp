#include "step_load.hpp"

#include <algorithm>

namespace cubefold {

StepLoad::StepLoad(const Placement& placement, Ports ports, Tie tie)
    : placement_(placement), ports_(ports), tie_(tie), links_(placement.grid(), tie) {
  const Grid& grid = placement.grid();
  for (PortUses* uses : {&sending_, &receiving_}) {
    uses->messages.resize(ports == Ports::one ? grid.node_count() : link_index_count(grid));
    if (ports == Ports::one) uses->blocks.resize(grid.node_count());
  }
}

void StepLoad::use(PortUses& uses, std::size_t port, std::uint64_t blocks) {
  startups_ = std::max(startups_, ++uses.messages[port]);
  if (ports_ == Ports::one) blocks_ = std::max(blocks_, uses.blocks[port] += blocks);
}

void StepLoad::add(Rank from_rank, Rank to_rank, std::uint64_t blocks) {
  if (from_rank == to_rank) return;
  const Grid& grid = placement_.grid();
  const GridNode from = placement_.node_of(from_rank);
  const GridNode to = placement_.node_of(to_rank);
  links_.add(from, to, blocks);
  blocks_ = std::max(blocks_, blocks);  // fast links may carry less
  if (ports_ == Ports::one) {
    use(sending_, static_cast<std::size_t>(from), blocks);
    use(receiving_, static_cast<std::size_t>(to), blocks);
  } else {
    use(sending_, link_index(grid, *next_link(grid, from, to, tie_)), blocks);
    use(receiving_, link_index(grid, *last_link(grid, from, to, tie_)), blocks);
  }
}

StepGroup StepLoad::group() const {
  const RatedLoad longest = links_.longest();
  StepGroup step{1, longest.messages, startups_};
  step.rate = longest.rate;
  step.raise_to(blocks_);
  return step;
}

}  // namespace cubefold
