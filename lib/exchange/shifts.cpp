#include "shifts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "embedding/closed_form.hpp"

namespace cubefold {

void require_rank_count(const char* function, std::size_t rank_count) {
  if (rank_count >= 1 && rank_count <= std::size_t{1} << 31) return;
  throw std::invalid_argument(fmt::format("{}: {} ranks are not in 1 .. 2^31", function, rank_count));
}

void require_radix(const char* function, std::size_t rank_count, std::uint32_t radix) {
  require_rank_count(function, rank_count);
  const auto largest = std::max<std::size_t>(2, rank_count);
  if (radix >= 2 && radix <= largest) return;
  throw std::invalid_argument(fmt::format("{}: radix {} is not in 2 .. {}", function, radix, largest));
}

void require_rank(const char* function, Rank rank, std::size_t rank_count) {
  if (label(rank) < rank_count) return;
  throw std::invalid_argument(fmt::format("{}: rank {} is not below {}", function, label(rank), rank_count));
}

namespace {

/// Calls visit(from, to, blocks) for every message of the shifts.
template <typename Visit>
void for_each_message(const Placement& placement, const std::vector<Shift>& shifts, Visit visit) {
  const std::size_t count = placement.rank_count();
  for (const auto& [offset, blocks] : shifts) {
    for (std::size_t r = 0; r < count; ++r) {
      const auto from = static_cast<Rank>(r);
      visit(placement.node_of(from), placement.node_of(rank_above(from, offset, count)), blocks);
    }
  }
}

/// Returns the largest number of messages whose routes begin with the same link, or end with the same link.
std::uint64_t most_at_a_port(const Placement& placement, const std::vector<Shift>& shifts, Tie tie) {
  const Grid& grid = placement.grid();
  std::vector<std::uint64_t> leaving(link_index_count(grid));
  std::vector<std::uint64_t> entering(link_index_count(grid));
  std::uint64_t most = 0;
  for_each_message(placement, shifts, [&](GridNode from, GridNode to, std::uint64_t) {
    const auto left = ++leaving[link_index(grid, *next_link(grid, from, to, tie))];
    const auto entered = ++entering[link_index(grid, *last_link(grid, from, to, tie))];
    most = std::max({most, left, entered});
  });
  return most;
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
  for_each_message(placement_, shifts,
                   [&](GridNode from, GridNode to, std::uint64_t blocks) { loads.add(from, to, blocks); });
  return loads.longest();
}

StepGroup ShiftSteps::step(const std::vector<Shift>& shifts) const {
  const RatedLoad load = longest_load(shifts);
  StepGroup step{1, load.messages, shifts.size()};
  step.rate = load.rate;
  if (ports_ == Ports::one) {
    std::uint64_t sent = 0;
    for (const Shift& shift : shifts) sent += shift.blocks;
    step.raise_to(sent);
  } else {
    for (const Shift& shift : shifts)
      step.raise_to(shift.blocks);  // the time of a message on links of any rate
    if (shifts.size() > 1) step.startups = most_at_a_port(placement_, shifts, tie_);
  }
  return step;
}

}  // namespace cubefold
