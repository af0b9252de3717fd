#include "axis_network.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>
#include <variant>

#include "block_geometry.hpp"

namespace cubefold::fft {

Grid grid_of_axes(const Grid& grid, const std::vector<int>& axes) {
  std::vector<int> all(static_cast<std::size_t>(grid.axis_count()));
  std::iota(all.begin(), all.end(), 0);
  if (axes == all && !all.empty()) return grid;  // with its route table, if it has one
  std::vector<Axis> kept;
  kept.reserve(axes.size() + 1);
  for (const int axis : axes) kept.push_back(grid.axes()[static_cast<std::size_t>(axis)]);
  if (kept.empty()) kept.push_back({1, Ends::open});
  return Grid(std::move(kept));
}

GridNode node_of(const Grid& grid, const std::vector<std::vector<int>>& axes,
                 const Layout::Members& members) {
  std::vector<std::uint32_t> coordinates(static_cast<std::size_t>(grid.axis_count()));
  for (std::size_t part = 0; part < axes.size(); ++part) {
    std::size_t member = members[part];
    for (const int axis : axes[part]) {
      coordinates[static_cast<std::size_t>(axis)] = static_cast<std::uint32_t>(member % grid.extent(axis));
      member /= grid.extent(axis);
    }
  }
  return grid.node_at(coordinates);
}

std::vector<std::vector<int>> two_parts(const Grid& grid) {
  std::vector<int> all(static_cast<std::size_t>(grid.axis_count()));
  std::iota(all.begin(), all.end(), 0);
  std::size_t best = 0;
  std::size_t largest = grid.node_count();
  const auto sets = std::size_t{1} << std::min(all.size(), std::size_t{16});
  for (std::size_t set = 1; set + 1 < sets; ++set) {
    std::size_t first = 1;
    for (std::size_t a = 0; a < all.size(); ++a)
      if (((set >> a) & 1U) != 0) first *= grid.extent(static_cast<int>(a));
    if (first * first < grid.node_count() || first >= largest) continue;
    best = set;
    largest = first;
  }
  if (best == 0) return {all};
  std::vector<std::vector<int>> parts(2);
  for (std::size_t a = 0; a < all.size(); ++a)
    parts[((best >> a) & 1U) != 0 ? 0 : 1].push_back(static_cast<int>(a));
  return parts;
}

bool has_pencils(const Grid& grid) {
  return two_parts(grid).size() > 1;
}

std::vector<std::vector<int>> network_parts(const Grid& grid, Decomposition decomposition) {
  if (decomposition == Decomposition::pencil) {
    auto parts = two_parts(grid);
    parts.resize(2);
    return parts;
  }
  std::vector<int> all(static_cast<std::size_t>(grid.axis_count()));
  std::iota(all.begin(), all.end(), 0);
  return {all};
}

std::optional<ExchangeModel> model_of(const Network& network) {
  if (network.machine) return exchange_model(*network.machine, Tie::balanced);
  if (network.host_count > 1) return typical_network();
  return std::nullopt;
}

AxisNetwork network_of_all(const Network& network) {
  return {network.placement, model_of(network).value()};
}

std::vector<AxisNetwork> networks_of_axes(const Network& network, const std::vector<std::vector<int>>& axes) {
  std::vector<AxisNetwork> result;
  for (const auto& part : axes) {
    Network own{Placement(grid_of_axes(network.placement.grid(), part), {}), {}, network.host_count};
    if (network.machine && !part.empty()) own.machine = on_axes(*network.machine, part, network.host_count);
    // A process axis of one member exchanges nothing, so any model will do for it.
    result.push_back({own.placement, model_of(own).value_or(typical_network())});
  }
  return result;
}

ExchangeSeconds exchange_seconds(const Program& program, std::size_t point_bytes,
                                 const std::vector<AxisNetwork>& axes) {
  std::map<std::pair<std::size_t, std::size_t>, ExchangeSeconds> known;
  ExchangeSeconds sum;
  for (const Stage& stage : program.stages) {
    const auto* exchange = std::get_if<ExchangeStage>(&stage);
    if (exchange == nullptr) continue;
    const auto number = static_cast<std::size_t>(exchange->axis);
    const auto& [placement, model] = axes[number];
    if (placement.rank_count() == 1) continue;
    const std::size_t bytes = block_count(*exchange) * point_bytes;
    const auto [found, is_new] = known.try_emplace({number, bytes});
    if (is_new) {
      const ExchangePlan plan = plan_exchange(placement, bytes, model);
      found->second = {plan.choice().seconds, plan.bound.seconds(), plan.choice().routers};
    }
    sum.predicted += found->second.predicted;
    sum.bound += found->second.bound;
    for (const auto router :
         {&RouterSeconds::voq, &RouterSeconds::transit, &RouterSeconds::rr, &RouterSeconds::cpu})
      sum.routers.*router += found->second.routers.*router;
  }
  return sum;
}

}  // namespace cubefold::fft
