#include "planner/planning/exchange_groups.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cubefold/hosts/host_map.hpp"
#include "cubefold/plan/phase.hpp"
#include "cubefold/simulation/steps.hpp"
#include "program/program.hpp"

namespace cubefold::planner {

namespace {

using program::counted;

[[noreturn]] void fail(const std::string& phase, const std::string& rule) {
  throw std::invalid_argument(fmt::format("--phase: '{}': {}", phase, rule));
}

Phase all_to_all_named(const std::string& text, std::size_t rank_count) {
  auto phases = parse_phase(text, rank_count);
  if (!text.starts_with("alltoall")) {
    fail(text, "it is none of alltoall, alltoall:rows=RxC and alltoall:columns=RxC; see cubefold map");
  }
  if (phases.front().weight != 1) fail(text, "an exchange has no weight");
  return std::move(phases.front());
}

/// Returns the number of ranks that each group has on each of its nodes, group by group.
std::vector<std::map<GridNode, std::size_t>> ranks_on_nodes(const Phase& phase, std::size_t rank_count,
                                                            std::size_t per_node) {
  std::vector<std::size_t> first_of(rank_count);  // the first rank of the group of every rank
  for (std::size_t rank = 0; rank < rank_count; ++rank) first_of[rank] = rank;
  for (const Traffic& sent : phase.traffic)
    first_of[label(sent.to)] = std::min<std::size_t>(first_of[label(sent.to)], label(sent.from));
  std::map<std::size_t, std::map<GridNode, std::size_t>> groups;
  for (std::size_t rank = 0; rank < rank_count; ++rank)
    ++groups[first_of[rank]][static_cast<GridNode>(rank / per_node)];
  std::vector<std::map<GridNode, std::size_t>> result;
  for (auto& [first, nodes] : groups) result.push_back(std::move(nodes));
  return result;
}

std::vector<GridNode> nodes_of(const std::map<GridNode, std::size_t>& group) {
  std::vector<GridNode> nodes;
  for (const auto& [node, ranks] : group) nodes.push_back(node);
  return nodes;
}

/// Returns the part of the network that the nodes use, in which all other nodes only pass messages on.
Grid grid_of(const Grid& network, const std::vector<GridNode>& nodes) {
  const NetworkPart part = part_of(network, nodes);
  const std::set<GridNode> used(part.nodes.begin(), part.nodes.end());
  std::vector<GridNode> others;
  for (std::uint32_t node = 0; node < part.grid.node_count(); ++node)
    if (!used.contains(GridNode{node})) others.push_back(GridNode{node});
  return without_nodes(part.grid, std::move(others));
}

/// Counts the groups that use each node, and each link of the routes between the nodes of a group.
class Users {
 public:
  Users(const Grid& network, Tie tie)
      : network_(network), tie_(tie), of_nodes_(network.node_count()), of_links_(link_index_count(network)) {}

  void add(const std::vector<GridNode>& nodes) {
    std::set<std::size_t> links;
    for (const GridNode from : nodes) {
      ++of_nodes_[static_cast<std::size_t>(from)];
      for (const GridNode to : nodes)
        for (const Link& link : route(network_, from, to, tie_)) links.insert(link_index(network_, link));
    }
    for (const std::size_t link : links) ++of_links_[link];
  }

  std::size_t most() const {
    const std::size_t of_links = of_links_.empty() ? 0 : std::ranges::max(of_links_);
    return std::max(of_links, std::ranges::max(of_nodes_));
  }

 private:
  const Grid& network_;
  Tie tie_;
  std::vector<std::size_t> of_nodes_;
  std::vector<std::size_t> of_links_;
};

double bound_of(const Grid& grid) {
  const StepModel block_times{.tau_seconds_per_byte = {1}, .ports = Ports::all};
  return complete_exchange_bound(grid, 1, block_times).seconds();
}

}  // namespace

ExchangeGroups exchange_groups(const std::string& phase, const Grid& network, std::size_t per_node, Tie tie) {
  ExchangeGroups result{phase, to_string(network), 1, network.node_count() * per_node, network, per_node, 1};
  if (phase == "alltoall") return result;
  const std::size_t rank_count = result.group_size;
  const auto groups = ranks_on_nodes(all_to_all_named(phase, rank_count), rank_count, per_node);
  result.group_count = groups.size();
  result.group_size = rank_count / groups.size();
  double most = -1;
  std::set<std::string> names;
  Users users(network, tie);
  for (const auto& group : groups) {
    const auto nodes = nodes_of(group);
    const std::size_t on_each = group.begin()->second;
    if (std::ranges::any_of(group, [&](const auto& on_node) { return on_node.second != on_each; })) {
      fail(phase,
           fmt::format("with {} on each node, a group has {} on one node and another number on another",
                       counted(per_node, "rank"), on_each));
    }
    users.add(nodes);
    const Grid grid = grid_of(network, nodes);
    if (!names.insert(to_string(grid)).second || bound_of(grid) <= most) continue;
    most = bound_of(grid);
    result.grid = grid;
    result.per_node = on_each;
  }
  result.sharing = users.most();
  return result;
}

std::string groups_text(const ExchangeGroups& groups) {
  std::string text = fmt::format("{} on {}: {} at the same time, of {} on {}\n", groups.phase, groups.network,
                                 counted(groups.group_count, "group"), counted(groups.group_size, "rank"),
                                 to_string(groups.grid));
  if (groups.sharing > 1) {
    text += fmt::format(
        "times are those of one group alone; up to {} groups use one node or link, and may take "
        "{} times as long\n",
        groups.sharing, groups.sharing);
  }
  return text;
}

nlohmann::ordered_json groups_json(const ExchangeGroups& groups) {
  return {{"phase", groups.phase},      {"network", groups.network},      {"count", groups.group_count},
          {"ranks", groups.group_size}, {"grid", to_string(groups.grid)}, {"per_node", groups.per_node},
          {"sharing", groups.sharing}};
}

}  // namespace cubefold::planner
