#include "fabric_grid.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "fat_tree.hpp"
#include "missing_cables.hpp"

namespace cubefold {

namespace {

/// The switches of a fabric as a graph. The vertices are in the order of the names of their first hosts, so that vertex
/// 0, which becomes the origin, does not depend on identifiers and ports.
struct SwitchGraph {
  std::vector<std::uint32_t> switch_of_vertex;
  std::vector<std::uint32_t> vertex_of_switch;
  Neighbours neighbours;
};

SwitchGraph graph_of(const Fabric& fabric) {
  const std::size_t count = fabric.switches.size();
  std::vector<std::size_t> first_host(count, fabric.hosts.size());
  for (std::size_t i = fabric.hosts.size(); i-- > 0;) first_host[fabric.hosts[i].on_switch] = i;
  SwitchGraph graph{std::vector<std::uint32_t>(count), std::vector<std::uint32_t>(count), Neighbours(count)};
  std::iota(graph.switch_of_vertex.begin(), graph.switch_of_vertex.end(), 0U);
  std::ranges::sort(graph.switch_of_vertex, {}, [&](std::uint32_t i) {
    return std::pair<std::size_t, std::string_view>(first_host[i], fabric.switches[i]);
  });
  for (std::uint32_t v = 0; v < count; ++v) graph.vertex_of_switch[graph.switch_of_vertex[v]] = v;
  for (const auto& [cable, number] : fabric.cables) {
    const std::uint32_t one = graph.vertex_of_switch[cable.one];
    const std::uint32_t other = graph.vertex_of_switch[cable.other];
    graph.neighbours[one].push_back(other);
    graph.neighbours[other].push_back(one);
  }
  for (auto& ends : graph.neighbours) std::ranges::sort(ends);
  return graph;
}

std::string name_of(const Fabric& fabric, const SwitchGraph& graph, std::uint32_t vertex) {
  return fabric.switches[graph.switch_of_vertex[vertex]];
}

/// Returns the sentence that names the cables which contradict each other.
std::string reason_of(const Fabric& fabric, const SwitchGraph& graph, const NoGrid& no_grid) {
  std::vector<std::string> cables;
  for (const auto& [one, other] : no_grid.edges)
    cables.push_back(fmt::format("{} - {}", name_of(fabric, graph, one), name_of(fabric, graph, other)));
  if (cables.empty()) return no_grid.rule;
  if (cables.size() == 1) return fmt::format("see the cable {}: {}", cables[0], no_grid.rule);
  return fmt::format("see the cables {}: {}", fmt::join(cables, " and "), no_grid.rule);
}

/// Says why no grid was found: the switches that lack cables, if they are few, and whether it looks like a tree.
std::string hints(const Fabric& fabric, const SwitchGraph& graph) {
  constexpr std::size_t most_names = 8;
  std::string text;
  const auto deficient = deficient_vertices(graph.neighbours);
  if (!deficient.empty() && deficient.size() <= most_names) {
    std::vector<std::string> names;
    names.reserve(deficient.size());
    for (const auto v : deficient) names.push_back(name_of(fabric, graph, v));
    text += fmt::format("; with fewer cables than most switches: {}", fmt::join(names, ", "));
  }
  std::vector<bool> has_host(fabric.switches.size());
  for (const FabricHost& host : fabric.hosts) has_host[host.on_switch] = true;
  const auto without = std::ranges::count(has_host, false);
  if (without > 0) {
    text +=
        fmt::format("; {} of {} switches have no host, as in a tree, where nothing is to be gained on a grid",
                    without, has_host.size());
  }
  return text;
}

[[noreturn]] void refuse_fat_tree(const FatTree& tree) {
  throw std::invalid_argument(
      fmt::format("the switches are cabled as a fat tree, with {} leaves and {} {} above them, where nothing "
                  "is to be gained from positions on a grid",
                  tree.leaves, tree.above, tree.above == 1 ? "switch" : "switches"));
}

/// Refuses a fat tree with several ways up, which may be cabled as a grid, too: two leaves below two switches are a
/// square. A line of three switches counts as a line.
void require_no_fat_tree(const Fabric& fabric) {
  const auto tree = as_fat_tree(fabric, 1);
  if (tree && tree->above > 1) refuse_fat_tree(*tree);
}

RepairedGrid found_grid(const Fabric& fabric, const SwitchGraph& graph) {
  auto result = recognised_grid(graph.neighbours);
  if (auto* grid = std::get_if<RecognisedGrid>(&result)) return {std::move(*grid), {}};
  if (auto repaired = repaired_grid(graph.neighbours)) return std::move(*repaired);
  const std::size_t least = (most_hosts_on_a_switch(fabric) + 1) / 2;  // managers may be above the leaves
  if (const auto tree = as_fat_tree(fabric, least)) refuse_fat_tree(*tree);
  throw std::invalid_argument(
      fmt::format("the switches are cabled neither as a mesh nor as a torus nor as a hypercube: {}{}",
                  reason_of(fabric, graph, std::get<NoGrid>(result)), hints(fabric, graph)));
}

/// Returns the found grid under the name that the user gives, or under its usual one.
RecognisedGrid named_grid(const RecognisedGrid& found, const std::optional<Grid>& wanted) {
  const Grid usual = with_rings_of_four(found.grid);
  if (!wanted) return *as_grid(found, usual);
  if (wanted->route_table() == nullptr)
    if (auto grid = as_grid(found, *wanted)) return *grid;
  throw std::invalid_argument(
      fmt::format("the switches are cabled as {}, and --grid is {}", to_string(usual), to_string(*wanted)));
}

void add_ports(const Fabric& fabric, std::uint32_t from, std::uint32_t to,
               std::vector<std::uint32_t>& ports) {
  for (const auto& [port, peer] : fabric.ports[from])
    if (peer == PortPeer{false, to}) ports.push_back(port);
}

}  // namespace

FabricGrid grid_of_fabric(const Fabric& fabric, const std::optional<Grid>& wanted) {
  if (!wanted) require_no_fat_tree(fabric);
  require_hosts(fabric);
  if (fabric.cables.empty()) {
    throw std::invalid_argument(
        "no cable joins two switches: where a switch joins all hosts, any order is as good");
  }
  const SwitchGraph graph = graph_of(fabric);
  const RepairedGrid found = found_grid(fabric, graph);
  const RecognisedGrid named = named_grid(found.found, wanted);
  FabricGrid result{named.grid, {}, std::vector<std::uint32_t>(named.grid.node_count()), {}};
  for (std::uint32_t i = 0; i < graph.vertex_of_switch.size(); ++i) {
    result.node_of_switch.push_back(named.node_of_vertex[graph.vertex_of_switch[i]]);
    result.switch_of_node[static_cast<std::size_t>(result.node_of_switch.back())] = i;
  }
  for (const auto& [one, other] : found.missing)
    result.missing.push_back({graph.switch_of_vertex[one], graph.switch_of_vertex[other]});
  return result;
}

std::optional<std::uint32_t> switch_along(const FabricGrid& found, std::uint32_t from, int axis,
                                          Direction direction) {
  const Link link{found.node_of_switch[from], axis, direction};
  if (!has_link(found.grid, link)) return std::nullopt;
  return found.switch_of_node[static_cast<std::size_t>(end_of(found.grid, link))];
}

Grid network_of(const FabricGrid& found) {
  std::string name = to_string(found.grid);
  for (const auto& [one, other] : found.missing) {
    name += fmt::format(",cut={}-{}", static_cast<std::size_t>(found.node_of_switch[one]),
                        static_cast<std::size_t>(found.node_of_switch[other]));
  }
  return found.missing.empty() ? found.grid : parse_grid(name);
}

PortOrder ports_by_axis(const Fabric& fabric, const FabricGrid& found) {
  PortOrder order(fabric.switches.size());
  for (std::uint32_t here = 0; here < order.size(); ++here) {
    for (int axis = 0; axis < found.grid.axis_count(); ++axis) {
      const bool is_even = found.grid.coordinate(found.node_of_switch[here], axis) % 2 == 0;
      const Direction first = is_even ? Direction::positive : Direction::negative;
      const Direction second = is_even ? Direction::negative : Direction::positive;
      for (const Direction direction : {first, second})
        if (const auto there = switch_along(found, here, axis, direction))
          add_ports(fabric, here, *there, order[here]);
    }
  }
  return order;
}

}  // namespace cubefold
