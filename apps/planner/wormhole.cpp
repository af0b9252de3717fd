#include "planner/commands.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/lcc/lcc.hpp"
#include "cubefold/lcc/pattern.hpp"
#include "cubefold/plan/mapping.hpp"
#include "cubefold/topology/grid.hpp"
#include "files/output.hpp"
#include "planner/options.hpp"
#include "program/json.hpp"
#include "program/values.hpp"
#include "simulation/wormhole.hpp"
#include "simulation/wormhole_traffic.hpp"

namespace cubefold::planner {

namespace {

constexpr const char* wormhole_examples = R"(Examples:
  cubefold wormhole hypercube:8 --pattern transpose
  cubefold wormhole hypercube:8 --pattern transpose --placement identity,order=0-4-2-6-1-5-3-7
  cubefold wormhole mesh:8x8 --pattern bit-reversal --router p-cube --load 0.05,0.1 --json -

PATTERN is a name that cubefold lcc knows. Loads and throughput are in flits per cycle and sending node. The latency,
with its standard error, is the number of cycles from the making of a message to the arrival of its last flit. The
queue is the number of messages that wait at a node in the last fifth of the cycles. A load is sustainable if queues
do not grow with time. Rings are refused, because they deadlock without virtual channels.

JSON: grid, placement, pattern, router, ports, flits, cycles, warm_up_cycles, seed, sending_nodes, results
(load, throughput, latency_cycles, latency_error_cycles, queued_at_first, queued_at_last, sustainable).)";

constexpr std::uint64_t most_wormhole_nodes = 65536;

struct WormholeOptions {
  std::string grid;
  std::string placement = "identity";
  std::string pattern;
  std::string router = "e-cube";
  std::vector<double> loads{0.02, 0.05, 0.1, 0.2, 0.4, 0.8};
  Ports ports = Ports::one;
  WormholeTraffic traffic{{}, 0};
  std::string json;
};

struct Row {
  double load;
  WormholeMeasurement measured;
};

using MakeRouter = Router (*)(const Grid&);

constexpr std::array<std::pair<const char*, MakeRouter>, 2> routers{
    {{"e-cube", dimension_order}, {"p-cube", negative_first}}};

std::string known_router(const std::string& name) {
  program::value_named("router", name, routers);
  return name;
}

Grid wormhole_grid(const std::string& text) {
  Grid grid = parse_grid(text);
  if (grid.node_count() > most_wormhole_nodes) {
    throw std::invalid_argument(fmt::format("wormhole: {} has {} nodes; the most is {}", text,
                                            grid.node_count(), most_wormhole_nodes));
  }
  return grid;
}

std::vector<GridNode> destinations_of_pattern(const Placement& placement, const std::string& pattern) {
  const Lcc lcc = parse_pattern(pattern, dimension_count(placement));
  if (kind(lcc) == LccKind::scatter) {
    throw std::invalid_argument(
        fmt::format("wormhole: '{}' is a scatter; every node must have one destination", pattern));
  }
  std::vector<Rank> to(placement.rank_count());
  for (const auto& [source, destination] : messages(lcc)) to[label(source)] = destination;
  return destinations_of(placement, to);
}

int port_count(Ports ports, const Grid& grid) {
  switch (ports) {
    case Ports::one:
      return 1;
    case Ports::all:
      break;
  }
  int count = 0;
  for (const Axis& axis : grid.axes()) count += static_cast<int>(std::min(axis.extent - 1, 2U));
  return std::max(count, 1);
}

std::size_t sending_count(const WormholeTraffic& traffic) {
  std::size_t count = 0;
  for (std::size_t node = 0; node < traffic.destinations.size(); ++node) {
    if (traffic.destinations[node] != static_cast<GridNode>(node)) ++count;
  }
  return count;
}

/// Returns the number, or null if it is not finite. The latency without messages is not finite, and JSON cannot express
/// such numbers.
nlohmann::ordered_json number_or_null(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

nlohmann::ordered_json as_json(const WormholeOptions& options, const std::vector<Row>& rows) {
  const WormholeTraffic& traffic = options.traffic;
  nlohmann::ordered_json json{{"grid", options.grid},
                              {"placement", options.placement},
                              {"pattern", options.pattern},
                              {"router", options.router},
                              {"ports", traffic.port_count},
                              {"flits", traffic.flit_count},
                              {"cycles", traffic.measured_cycles},
                              {"warm_up_cycles", traffic.warm_up_cycles},
                              {"seed", traffic.seed},
                              {"sending_nodes", sending_count(traffic)}};
  auto& results = json["results"] = nlohmann::ordered_json::array();
  for (const auto& [load, measured] : rows) {
    results.push_back({{"load", load},
                       {"throughput", measured.throughput},
                       {"latency_cycles", number_or_null(measured.latency_cycles)},
                       {"latency_error_cycles", number_or_null(measured.latency_error_cycles)},
                       {"queued_at_first", measured.queued_at_first},
                       {"queued_at_last", measured.queued_at_last},
                       {"sustainable", measured.is_sustainable()}});
  }
  return json;
}

void print_head(const WormholeOptions& options) {
  const WormholeTraffic& traffic = options.traffic;
  fmt::print("{}, placement {}, {}, {}, ports: {}\n", options.grid, options.placement, options.pattern,
             options.router, traffic.port_count);
  fmt::print("{} of {} nodes send, {} flits a message; {} cycles after {}, seed {}\n\n",
             sending_count(traffic), traffic.destinations.size(), traffic.flit_count, traffic.measured_cycles,
             traffic.warm_up_cycles, traffic.seed);
  fmt::print("{:>10}{:>12}{:>14}{:>12}{:>10}  {}\n", "load", "throughput", "latency", "+-", "queue",
             "sustainable");
}

void print_row(const Row& row) {
  const auto& [load, measured] = row;
  fmt::print("{:>10.4g}{:>12.4f}{:>14.1f}{:>12.1f}{:>10.2f}  {}\n", load, measured.throughput,
             measured.latency_cycles, measured.latency_error_cycles, measured.queued_at_last,
             measured.is_sustainable() ? "yes" : "no");
}

void run(WormholeOptions options) {
  const Grid grid = wormhole_grid(options.grid);
  const Placement placement = place(grid, options.placement);
  const Router router = program::value_named("router", options.router, routers)(grid);
  options.grid = to_string(grid);
  options.placement = to_string(placement.rule());
  options.traffic.destinations = destinations_of_pattern(placement, options.pattern);
  options.traffic.port_count = port_count(options.ports, grid);
  options.traffic.warm_up_cycles = options.traffic.measured_cycles / 5;

  auto json = files::open_output(options.json);
  const bool table = options.json != "-";
  std::vector<Row> rows;
  for (const double load : options.loads) {
    options.traffic.load = load;
    rows.push_back({load, measure_traffic(grid, router, options.traffic)});
    if (table && rows.size() == 1) print_head(options);
    if (table) print_row(rows.back());
  }
  if (json) json->write(program::json_text(as_json(options, rows)));
}

}  // namespace

void add_wormhole(CLI::App& program) {
  auto* command =
      program.add_subcommand("wormhole", "Simulates latency and throughput of a pattern, flit by flit");
  const auto options = std::make_shared<WormholeOptions>();
  add_grid(*command, options->grid);
  command
      ->add_option("--pattern", options->pattern, "Permutation of the messages: transpose, bit-reversal, ...")
      ->type_name("PATTERN")
      ->required();
  add_placement(*command, options->placement);
  program::add_parsed(*command, "--router", options->router, known_router,
                      "e-cube: lowest axis first; p-cube: falling coordinates first, in\nany order of axes")
      ->type_name("ROUTER")
      ->default_str(options->router);
  add_ports(*command, options->ports);
  command->add_option("--load", options->loads, "Flits that a node offers per cycle, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(program::number(1e-6, 1))
      ->type_name("LOAD")
      ->capture_default_str();
  command->add_option("--flits", options->traffic.flit_count, "Flits of a message, its header included")
      ->type_name("N")
      ->transform(program::whole_number(1, 1000000))
      ->capture_default_str();
  command
      ->add_option("--cycles", options->traffic.measured_cycles, "Measured cycles, after a fifth to warm up")
      ->type_name("N")
      ->transform(program::whole_number(10, 1000000000))
      ->capture_default_str();
  command->add_option("--seed", options->traffic.seed, "Seed of the times at which messages are made")
      ->transform(program::whole_number(0))
      ->type_name("N")
      ->capture_default_str();
  add_json(*command, options->json);
  command->footer(wormhole_examples);
  command->callback([options] { run(*options); });
}

}  // namespace cubefold::planner
