#include "planner/commands.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cubefold/topology/grid.hpp"
#include "files/output.hpp"
#include "planner/options.hpp"
#include "program/json.hpp"
#include "program/program.hpp"
#include "program/table.hpp"

namespace cubefold::planner {

namespace {

constexpr std::size_t most_routed_nodes = 4096;
constexpr std::size_t most_nodes_of_a_printed_matrix = 32;

constexpr const char* routes_examples = R"(Examples:
  cubefold routes torus:4x4
  cubefold routes grid:8wx4 --tie positive --json routes.json
  cubefold routes torus:4x4,cut=0-1

JSON: grid, tie, nodes (their number), switches (theirs, if there are any), coordinates (of every node), links (every
directed link once: from, to, axis, direction; where links do not follow from axes: from, to, rate), next_hop (for every
node, then every switch, and each destination the index of the first link of the route, or -1 at its end).)";

struct RoutesOptions {
  std::string grid;
  Tie tie = Tie::balanced;
  std::string json;
};

/// A grid in the form that other programs need. The links are numbered, and next_hop[vertex][destination] is the number
/// of the first link of the route, or -1 if vertex and destination are equal, or if a switch is on no route there.
struct RoutedNetwork {
  Grid grid;
  Tie tie;
  std::vector<Link> links;
  std::vector<std::vector<int>> next_hop;
};

Grid small_grid(const std::string& text) {
  Grid grid = parse_grid(text);
  if (grid.node_count() > most_routed_nodes) {
    throw std::invalid_argument(
        fmt::format("routes: {} has {} nodes; the most is {}", text, grid.node_count(), most_routed_nodes));
  }
  return grid;
}

std::size_t switch_count(const Grid& grid) {
  return grid.route_table() == nullptr ? 0 : grid.route_table()->switch_count();
}

std::vector<std::vector<int>> next_hops(const Grid& grid, Tie tie, const std::vector<Link>& links) {
  std::vector<int> number(link_index_count(grid), -1);
  for (std::size_t i = 0; i < links.size(); ++i) number[link_index(grid, links[i])] = static_cast<int>(i);

  const std::size_t vertex_count = grid.node_count() + switch_count(grid);
  std::vector<std::vector<int>> next(vertex_count, std::vector<int>(grid.node_count(), -1));
  for (std::size_t here = 0; here < vertex_count; ++here) {
    for (std::size_t to = 0; to < grid.node_count(); ++to) {
      const auto link = next_link(grid, static_cast<GridNode>(here), static_cast<GridNode>(to), tie);
      if (link) next[here][to] = number[link_index(grid, *link)];
    }
  }
  return next;
}

RoutedNetwork network_of(const RoutesOptions& options) {
  const Grid grid = small_grid(options.grid);
  const auto links = links_of(grid);
  return {grid, options.tie, links, next_hops(grid, options.tie, links)};
}

nlohmann::ordered_json as_json(const RoutedNetwork& network) {
  const Grid& grid = network.grid;
  nlohmann::ordered_json json{
      {"grid", to_string(grid)}, {"tie", to_string(network.tie)}, {"nodes", grid.node_count()}};
  if (switch_count(grid) > 0) json["switches"] = switch_count(grid);
  auto& coordinates = json["coordinates"] = nlohmann::ordered_json::array();
  for (std::size_t node = 0; node < grid.node_count(); ++node) {
    coordinates.push_back(grid.coordinates(static_cast<GridNode>(node)));
  }
  auto& links = json["links"] = nlohmann::ordered_json::array();
  for (const Link& link : network.links) {
    nlohmann::ordered_json described{{"from", link.from}, {"to", end_of(grid, link)}};
    if (grid.route_table() != nullptr) {
      described["rate"] = rate_of(grid, link);
    } else {
      described["axis"] = link.axis;
      described["direction"] = to_string(link.direction);
    }
    links.push_back(std::move(described));
  }
  json["next_hop"] = network.next_hop;
  return json;
}

void print_matrix(const RoutedNetwork& network) {
  std::vector<program::TableColumn> columns{{"", 6}};
  for (std::size_t to = 0; to < network.grid.node_count(); ++to) columns.push_back({std::to_string(to), 5});
  program::Table table(std::move(columns));
  for (std::size_t here = 0; here < network.next_hop.size(); ++here) {
    std::vector<std::string> cells{std::to_string(here)};
    for (const int link : network.next_hop[here])
      cells.push_back(link < 0 ? std::string("-") : std::to_string(link));
    table.add(std::move(cells));
  }
  fmt::print(
      "\nnext hop: the first link of the route from the node or switch of the row to the node of the "
      "column\n\n{}",
      table.text());
}

void print_table(const RoutedNetwork& network) {
  const std::size_t switches = switch_count(network.grid);
  fmt::print("{}, {} ties: {}, {}{}\n\n", to_string(network.grid), to_string(network.tie),
             program::counted(network.grid.node_count(), "node"),
             switches > 0 ? fmt::format("{} switch{}, ", switches, switches == 1 ? "" : "es") : "",
             program::counted(network.links.size(), "directed link"));
  const bool has_axes = network.grid.route_table() == nullptr;
  fmt::print("{:>6}{:>8}{:>8}{:>6}{}\n", "link", "from", "to", has_axes ? "axis" : "rate",
             has_axes ? "  direction" : "");
  for (std::size_t i = 0; i < network.links.size(); ++i) {
    const Link& link = network.links[i];
    fmt::print("{:>6}{:>8}{:>8}", i, static_cast<std::uint32_t>(link.from),
               static_cast<std::uint32_t>(end_of(network.grid, link)));
    if (has_axes) {
      fmt::print("{:>6}  {}\n", link.axis, to_string(link.direction));
    } else {
      fmt::print("{:>6.4g}\n", rate_of(network.grid, link));
    }
  }
  if (network.next_hop.size() <= most_nodes_of_a_printed_matrix) {
    print_matrix(network);
  } else {
    fmt::print("\nnext hops: with --json\n");
  }
}

void run(const RoutesOptions& options) {
  auto json = files::open_output(options.json);
  const RoutedNetwork network = network_of(options);
  if (json) json->write(program::json_text(as_json(network)));
  if (options.json != "-") print_table(network);
}

}  // namespace

void add_routes(CLI::App& program) {
  auto* command = program.add_subcommand("routes", "Lists nodes, links and next hops of a network");
  const auto options = std::make_shared<RoutesOptions>();
  add_grid(*command, options->grid);
  add_tie(*command, options->tie);
  add_json(*command, options->json);
  command->footer(routes_examples);
  command->callback([options] { run(*options); });
}

}  // namespace cubefold::planner
