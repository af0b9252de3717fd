#include "axis_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <stdexcept>
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

std::array<std::size_t, 2> whole_process_grid(const std::array<std::size_t, 2>& process_grid,
                                              std::size_t process_count) {
  auto whole = process_grid;
  for (const std::size_t i : {0U, 1U})
    if (whole[i] == 0 && whole[1 - i] > 0) whole[i] = process_count / whole[1 - i];
  const auto [rows, columns] = whole;
  if (rows > 0 && columns > 0 && rows <= process_count && rows * columns == process_count) return whole;
  throw std::invalid_argument(fmt::format("fft::Plan: process_grid {}x{} is no grid of {} processes",
                                          process_grid[0], process_grid[1], process_count));
}

namespace {

/// Returns the axes of a grid in two parts, of which the first has `count` nodes. Returns nothing if there are none.
std::optional<std::vector<std::vector<int>>> parts_of(const Grid& grid, std::size_t count) {
  const auto axis_count = static_cast<std::size_t>(std::min(grid.axis_count(), 16));
  for (std::size_t set = 0; set < std::size_t{1} << axis_count; ++set) {
    std::vector<std::vector<int>> parts(2);
    std::size_t first = 1;
    for (int axis = 0; axis < grid.axis_count(); ++axis) {
      const bool is_first = axis < 16 && ((set >> static_cast<unsigned>(axis)) & 1U) != 0;
      parts[is_first ? 0 : 1].push_back(axis);
      if (is_first) first *= grid.extent(axis);
    }
    if (first == count) return parts;
  }
  return std::nullopt;
}

}  // namespace

ProcessParts process_parts(const Network& network, Decomposition decomposition,
                           const std::array<std::size_t, 2>& process_grid) {
  const Grid& grid = network.placement.grid();
  ProcessParts parts;
  if (process_grid == std::array<std::size_t, 2>{} || decomposition == Decomposition::slab) {
    parts.axes = network_parts(grid, decomposition);
    for (const auto& part : parts.axes) parts.extents.push_back(grid_of_axes(grid, part).node_count());
    return parts;
  }
  const auto whole = whole_process_grid(process_grid, network.placement.rank_count());
  parts.extents.assign(whole.begin(), whole.end());
  if (auto axes = parts_of(grid, whole[0])) {
    parts.axes = *std::move(axes);
  } else if (network.has_several_axes) {
    throw std::invalid_argument(fmt::format(
        "fft::Plan: process_grid {}x{} does not follow the axes of {}: its numbers have to be products "
        "of their extents",
        whole[0], whole[1], network.name));
  }
  return parts;
}

std::optional<ExchangeModel> model_of(const Network& network) {
  if (network.machine) return exchange_model(*network.machine, Tie::balanced);
  if (network.host_count > 1) return typical_network();
  return std::nullopt;
}

AxisNetwork network_of_all(const Network& network) {
  return {network.placement, model_of(network).value()};
}

std::vector<AxisNetwork> networks_of_axes(const Network& network, const ProcessParts& parts) {
  std::vector<AxisNetwork> result;
  for (const std::size_t members : parts.axes.empty() ? parts.extents : std::vector<std::size_t>{}) {
    const Grid line({{static_cast<std::uint32_t>(members), Ends::open}});
    result.push_back({Placement(line, {}), typical_network()});
  }
  for (const auto& part : parts.axes) {
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
      found->second = {plan.choice().seconds, plan.bound.seconds()};
    }
    sum.predicted += found->second.predicted;
    sum.bound += found->second.bound;
  }
  return sum;
}

}  // namespace cubefold::fft
