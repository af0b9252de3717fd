#include "planner/launchers/rank_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hosts/host_name.hpp"
#include "program/program.hpp"

namespace cubefold::planner {

void RankTable::place(std::uint64_t rank, std::uint64_t node) {
  if (rank >= rank_count_) {
    lines_.fail(
        fmt::format("rank {} is beyond the {} of {}", rank, rank_count_, to_string(allocation_.grid)));
  }
  if (line_of_rank_[rank] != 0) {
    lines_.fail(fmt::format("rank {} stands on line {} already", rank, line_of_rank_[rank]));
  }
  if (node >= allocation_.grid.node_count()) {
    lines_.fail(fmt::format("{} has no node {}", to_string(allocation_.grid), node));
  }
  if (++ranks_on_node_[node] > allocation_.ranks_on_node[node]) {
    lines_.fail(fmt::format("node {} gets more than {}", node,
                            program::counted(allocation_.ranks_on_node[node], "rank")));
  }
  line_of_rank_[rank] = lines_.number();
  node_of_rank_[rank] = static_cast<GridNode>(node);
  ++placed_count_;
}

std::uint64_t RankTable::node_of(std::string_view host) const {
  const auto node = node_of_host(allocation_.hosts, host);
  if (node) return *node;
  const std::vector<std::string_view> known(allocation_.hosts.begin(), allocation_.hosts.end());
  lines_.fail(
      fmt::format("no node has the host '{}'; there is '{}'", host, most_similar_host_name(host, known)));
}

std::uint64_t RankTable::node_at(const WholeNetwork& whole,
                                 const std::vector<std::uint64_t>& coordinates) const {
  std::uint64_t number = 0;
  for (int axis = 0; axis < whole.grid.axis_count(); ++axis) {
    const auto coordinate = coordinates[static_cast<std::size_t>(axis)];
    if (coordinate >= whole.grid.extent(axis)) {
      lines_.fail(fmt::format("coordinate {} is beyond extent {} of axis {}", coordinate,
                              whole.grid.extent(axis), axis));
    }
    number += coordinate * whole.grid.stride(axis);
  }
  return node_numbered(whole, number);
}

std::uint64_t RankTable::node_numbered(const WholeNetwork& whole, std::uint64_t number) const {
  if (number >= whole.grid.node_count())
    lines_.fail(fmt::format("{} has no node {}", to_string(whole.grid), number));
  const auto begin = whole.node_of_vertex.begin();
  const auto end = begin + static_cast<std::ptrdiff_t>(allocation_.grid.node_count());
  const auto found = std::lower_bound(begin, end, static_cast<GridNode>(number));
  if (found == end || *found != static_cast<GridNode>(number)) {
    lines_.fail(fmt::format("node {} of {} is not one of the job's {}", number, to_string(whole.grid),
                            program::counted(allocation_.grid.node_count(), "node")));
  }
  return static_cast<std::uint64_t>(found - begin);
}

std::vector<GridNode> RankTable::take() && {
  const auto missing = std::find(line_of_rank_.begin(), line_of_rank_.end(), 0U);
  if (missing != line_of_rank_.end()) {
    lines_.fail(fmt::format("the file ends without rank {}", missing - line_of_rank_.begin()));
  }
  return std::move(node_of_rank_);
}

std::vector<std::size_t> slot_of_rank(const Allocation& allocation, std::span<const GridNode> node_of_rank) {
  std::vector<std::size_t> taken(allocation.grid.node_count());
  std::vector<std::size_t> slots;
  for (const GridNode node : node_of_rank) slots.push_back(taken[static_cast<std::size_t>(node)]++);
  return slots;
}

}  // namespace cubefold::planner
