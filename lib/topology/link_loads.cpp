#include "cubefold/topology/link_loads.hpp"

#include <algorithm>
#include <utility>

#include "link_differences.hpp"

namespace cubefold {

LinkLoads::LinkLoads(Grid grid, Tie tie)
    : grid_(std::move(grid)), tie_(tie), differences_(link_index_count(grid_)) {}

void LinkLoads::add(GridNode from, GridNode to, std::uint64_t messages) {
  add_route(grid_, from, to, tie_, messages, differences_);
}

std::uint64_t LinkLoads::on(const Link& link) const {
  const auto stride = grid_.stride(link.axis);
  auto node = static_cast<std::size_t>(link.from);
  std::uint64_t load = 0;
  for (auto left = grid_.coordinate(link.from, link.axis);; --left, node -= stride) {
    load += differences_[difference_place(grid_, {static_cast<GridNode>(node), link.axis, link.direction})];
    if (left == 0) return load;
  }
}

std::vector<std::uint64_t> LinkLoads::by_link_index() const {
  std::vector<std::uint64_t> loads(differences_.size());
  for_each_load(grid_, differences_,
                [&](const Link& link, std::uint64_t load) { loads[link_index(grid_, link)] = load; });
  return loads;
}

std::uint64_t LinkLoads::busiest() const {
  std::uint64_t most = 0;
  for_each_load(grid_, differences_, [&](const Link&, std::uint64_t load) { most = std::max(most, load); });
  return most;
}

std::uint64_t LinkLoads::total_hops() const {
  std::uint64_t hops = 0;
  for_each_load(grid_, differences_, [&](const Link&, std::uint64_t load) { hops += load; });
  return hops;
}

}  // namespace cubefold
