#include "cubefold/topology/link_loads.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "link_differences.hpp"

namespace cubefold {

LinkLoads::LinkLoads(Grid grid, Tie tie)
    : grid_(std::move(grid)), tie_(tie), differences_(link_index_count(grid_)) {}

void LinkLoads::add(GridNode from, GridNode to, std::uint64_t messages) {
  if (grid_.route_table() == nullptr) return add_route(grid_, from, to, tie_, messages, differences_);
  for (const Link& link : route(grid_, from, to, tie_)) differences_[link_index(grid_, link)] += messages;
}

std::uint64_t LinkLoads::on(const Link& link) const {
  if (grid_.route_table() != nullptr) return differences_[link_index(grid_, link)];
  const auto stride = grid_.stride(link.axis);
  auto node = static_cast<std::size_t>(link.from);
  std::uint64_t load = 0;
  for (auto left = grid_.coordinate(link.from, link.axis);; --left, node -= stride) {
    load += differences_[difference_place(grid_, {static_cast<GridNode>(node), link.axis, link.direction})];
    if (left == 0) return load;
  }
}

std::vector<std::uint64_t> LinkLoads::by_link_index() const {
  if (grid_.route_table() != nullptr) return differences_;
  std::vector<std::uint64_t> loads(differences_.size());
  for_each_load(grid_, differences_,
                [&](const Link& link, std::uint64_t load) { loads[link_index(grid_, link)] = load; });
  return loads;
}

RatedLoad LinkLoads::longest() const {
  RatedLoad longest;
  if (grid_.route_table() == nullptr) {
    for_each_load(grid_, differences_, [&](const Link&, std::uint64_t load) {
      longest.messages = std::max(longest.messages, load);
    });
  } else {
    const auto& links = grid_.route_table()->links();
    for (std::size_t i = 0; i < links.size(); ++i) {
      const RatedLoad load{differences_[i], links[i].rate};
      if (load.time() > longest.time()) longest = load;
    }
  }
  return longest;
}

std::uint64_t LinkLoads::busiest() const {
  return static_cast<std::uint64_t>(std::ceil(longest().time()));
}

std::uint64_t LinkLoads::total_hops() const {
  const auto loads = by_link_index();
  return std::accumulate(loads.begin(), loads.end(), std::uint64_t{0});
}

}  // namespace cubefold
