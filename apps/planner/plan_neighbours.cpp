#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "collective/neighbour_recognition.hpp"
#include "collective/neighbour_steps.hpp"
#include "cubefold/plan/mapping.hpp"
#include "cubefold/plan/phase.hpp"
#include "cubefold/topology/route.hpp"
#include "files/output.hpp"
#include "planner/commands.hpp"
#include "planner/options.hpp"
#include "planner/planning/placed_plan.hpp"
#include "program/network_times.hpp"
#include "program/program.hpp"
#include "program/table.hpp"
#include "program/values.hpp"
#include "schedule/collective.hpp"
#include "schedule/schedule_json.hpp"

namespace cubefold::planner {

namespace {

constexpr const char* neighbour_examples = R"(Examples:
  cubefold plan neighbors torus:4x4x4 --phase halo:4wx4wx4w:full --block 256B --ports all
  cubefold plan neighbors torus:8x8 --phase halo:8wx8w:full --block 64B
  cubefold plan neighbors torus:4x4 --phase halo:4wx4w:full --block 64B --json halo.json && cubefold verify halo.json

Every rank sends a block to each of its neighbours, which are those of the phase (cubefold help phase). Messages can be
combined if the edges are the same offsets on all ranks of a grid that are numbered row by row. The methods are direct
(each block is a message) and combined (blocks that go the same way on an axis travel together, one axis after the
other). The columns are the phases that wait for one another, the messages of a rank, what the busiest link or port
carries in all phases in blocks, the steps in which no two messages share a link or a port, the time, and its ratio to
the lower bound: a start-up, and the blocks that a port has to send and those that all links have to carry. The schedule
of --json is that of plan allreduce with the collective neighbours, the phase, and the edge of each chunk: [source,
destination], or [] for a number without an edge.)";

struct NeighbourOptions {
  std::string grid;
  std::string placement = "identity";
  std::string phase;
  std::size_t block = 0;
  program::NetworkTimes times;
  NetworkRules rules;
  std::string json;
};

Phase phase_named(const std::string& text, std::size_t rank_count) {
  auto phases = parse_phases(text, rank_count);
  if (phases.size() != 1) throw std::invalid_argument(fmt::format("plan: '{}' is not one phase", text));
  return std::move(phases.front());
}

/// Returns the stencil of the phase's messages. Throws std::invalid_argument if they are none.
NeighbourGrid stencil_of(const Phase& phase, std::size_t rank_count) {
  std::vector<std::vector<Rank>> destinations(rank_count);
  std::vector<std::vector<Rank>> sources(rank_count);
  for (const Traffic& each : phase.traffic) {
    destinations[label(each.from)].push_back(each.to);
    sources[label(each.to)].push_back(each.from);
  }
  const auto most = std::ranges::max_element(destinations, {}, [](const auto& list) { return list.size(); });
  const Rank leader{static_cast<std::uint32_t>(most - destinations.begin())};
  for (const NeighbourGrid& grid : possible_neighbour_grids(rank_count, leader, *most)) {
    bool fits = true;
    for (std::uint32_t r = 0; r < rank_count && fits; ++r)
      fits = has_edges(grid, Rank{r}, sources[r], destinations[r]);
    if (fits) return grid;
  }
  throw std::invalid_argument(fmt::format(
      "plan: the messages of '{}' are not the same offsets on all ranks of a grid, or combining them saves "
      "none",
      phase.name));
}

/// Returns a lower bound of the blocks that the busiest link or port carries: those that a rank sends over
/// the rates of its ports, and the links of all shortest routes over the rates of all links.
double least_blocks(const NeighbourGrid& edges, const Placement& placement, Ports ports) {
  const Grid& grid = placement.grid();
  double rates = 0;
  std::vector<double> rate_of_node(grid.node_count());
  for (const Link& link : links_of(grid)) {
    const double rate = rate_of(grid, link);
    rates += rate;
    const auto from = static_cast<std::size_t>(link.from);
    if (from < rate_of_node.size()) rate_of_node[from] += rate;
  }
  double hops = 0;
  double most = 0;
  for (std::uint32_t r = 0; r < edges.rank_count(); ++r) {
    double sent = 0;
    for (std::size_t edge = 0; edge < edges.edge_count(); ++edge) {
      const auto to = edges.destination(Rank{r}, edge);
      if (!to || *to == Rank{r}) continue;
      ++sent;
      hops += distance_hops(grid, placement.node_of(Rank{r}), placement.node_of(*to));
    }
    const double rate = rate_of_node[static_cast<std::size_t>(placement.node_of(Rank{r}))];
    if (sent > 0) most = std::max(most, ports == Ports::one ? sent : sent / rate);
  }
  return hops > 0 ? std::max(most, hops / rates) : most;
}

Schedule schedule_of(NeighbourMethod method, const NeighbourGrid& edges, const Placement& placement,
                     const NetworkRules& rules) {
  return method == NeighbourMethod::direct ? direct_neighbour_schedule(edges, placement, rules)
                                           : combined_neighbour_schedule(edges, rules.ports);
}

/// Returns [source, destination] for each chunk as nodes, or [] for a chunk without an edge, in the order in which
/// schedule_json() counts them: by the node where they are at first.
nlohmann::ordered_json edges_json(const NeighbourGrid& edges, const Placement& placement) {
  auto json = nlohmann::ordered_json::array();
  const auto node_of = [&](Rank rank) { return static_cast<std::uint32_t>(placement.node_of(rank)); };
  for (std::uint32_t node = 0; node < edges.rank_count(); ++node) {
    const Rank rank = placement.rank_of(GridNode{node});
    for (std::size_t edge = 0; edge < edges.edge_count(); ++edge) {
      auto& ends = json.emplace_back(nlohmann::ordered_json::array());
      if (const auto to = edges.destination(rank, edge)) ends = {node, node_of(*to)};
    }
  }
  return json;
}

/// Returns the schedule of a method as written_schedule() writes it. Throws std::invalid_argument as
/// require_writable().
WrittenSchedule written(NeighbourMethod method, const NeighbourGrid& edges, const Placement& placement,
                        const NeighbourOptions& options, const Phase& phase, double least) {
  Schedule schedule = schedule_of(method, edges, placement, options.rules);
  double blocks = 0;
  for (const Step& step : schedule.steps)
    for (const Message& message : step) blocks += static_cast<double>(message.blocks.size());
  require_writable(std::string(to_string(method)), placement,
                   blocks / static_cast<double>(placement.rank_count()));
  return written_schedule({placement,
                           options.rules.ports,
                           options.rules.tie,
                           std::string(to_string(method)),
                           {least, blocks > 0 ? 1U : 0U},
                           std::move(schedule),
                           Collective::neighbour_exchange(edges)},
                          {{"phase", phase.name}, {"edges", edges_json(edges, placement)}});
}

void run(const NeighbourOptions& options) {
  auto json = files::open_output(options.json);
  const Placement placement = place(parse_grid(options.grid), options.placement);
  const Phase phase = phase_named(options.phase, placement.rank_count());
  const NeighbourGrid edges = stencil_of(phase, placement.rank_count());
  const ExchangeModel model = program::model_of(options.times, options.rules, Queues::lossless);
  const std::vector<std::uint64_t> blocks(edges.edge_count(), 1);
  const double least = least_blocks(edges, placement, options.rules.ports);
  const double bound = model.alpha_seconds + least * static_cast<double>(options.block) *
                                                 *std::ranges::min_element(model.tau_seconds_per_byte);
  program::Table table({{"method", 10, true},
                        {"phases", 8},
                        {"messages", 10},
                        {"busiest", 9},
                        {"steps", 7},
                        {"time in us", 12},
                        {"time/bound", 12}});
  std::optional<double> shortest;
  NeighbourMethod choice = NeighbourMethod::direct;
  for (const NeighbourMethod method : all_neighbour_methods) {
    NeighbourCost cost = neighbour_cost(edges, method, placement, options.rules, blocks);
    const std::size_t steps = schedule_of(method, edges, placement, options.rules).steps.size();
    const std::uint64_t busiest = cost.bytes;
    cost.bytes *= options.block;
    cost.copied_bytes *= options.block;
    const double seconds = cost.seconds(model.alpha_seconds, model.gap_seconds, model.slowest_tau(),
                                        model.copy_seconds_per_byte);
    if (!shortest || seconds < *shortest) choice = method;
    shortest = std::min(shortest.value_or(seconds), seconds);
    table.add({std::string(to_string(method)), std::to_string(cost.phases), std::to_string(cost.messages),
               std::to_string(busiest), std::to_string(steps), fmt::format("{:.5g}", seconds * 1e6),
               fmt::format("{:.3f}", seconds / bound)});
  }
  std::optional<WrittenSchedule> schedule;
  if (json) schedule = written(choice, edges, placement, options, phase, least);
  if (json) json->write(schedule->text);
  if (options.json == "-") return;
  fmt::print(
      "blocks of {} for {} neighbours on {}, placement {}, {}-port\n{}\n\n{}\n{}; none takes less than "
      "{:.4g} us\n",
      program::size_text(options.block), edges.edge_count(), options.grid, options.placement,
      to_string(options.rules.ports), to_string(program::times_of(model)), table.text(), to_string(choice),
      bound * 1e6);
  if (schedule && schedule->has_conflicts) fmt::print("{}", conflicts_text(options.json));
}

}  // namespace

void add_plan_of_neighbours(CLI::App& plan) {
  auto* command = plan.add_subcommand("neighbors", "Compares methods for the neighbours of a stencil");
  const auto options = std::make_shared<NeighbourOptions>();
  add_grid(*command, options->grid);
  add_placement(*command, options->placement);
  command->add_option("--phase", options->phase, "Messages to neighbours, as halo:4wx4wx4w:full")
      ->required()
      ->type_name("PHASE");
  add_block(*command, options->block);
  add_links(*command, options->times);
  add_gap(*command, options->times);
  add_ports(*command, options->rules.ports);
  add_tie(*command, options->rules.tie);
  add_json(*command, options->json);
  command->footer(neighbour_examples);
  command->callback([options] { run(*options); });
}

}  // namespace cubefold::planner
