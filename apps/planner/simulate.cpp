#include "planner/commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cubefold/exchange/method.hpp"
#include "cubefold/plan/mapping.hpp"
#include "cubefold/simulation/steps.hpp"
#include "files/output.hpp"
#include "planner/lossless.hpp"
#include "planner/options.hpp"
#include "program/json.hpp"
#include "program/network_times.hpp"
#include "program/program.hpp"
#include "program/progress.hpp"
#include "program/values.hpp"

namespace cubefold::planner {

namespace {

/// The largest number of nodes. The simulation of a CC-cube exchange takes 200 MB for this number of ranks, and 900 MB
/// for twice as many.
constexpr std::size_t most_simulated_nodes = 2048;

constexpr const char* simulate_examples = R"(Examples:
  cubefold simulate exchange torus:8x8 --placement xor --block 1KiB
  cubefold simulate exchange mesh:4x4x4 --block 64 --latency 2us --rate 8gbit,8gbit,2gbit --json times.json
  cubefold simulate exchange torus:8x8 --network lossless --mpi linear --block 16KiB --latency 1.2us --svg waits.svg

With --network lossless, packets travel through routers with finite buffers, and messages are posted when their blocks
have arrived: nothing keeps steps apart. The table has the time for each router, the busiest link, the longest time that
a link is idle though packets wait for it, the time that packets wait for a link, summed over packets, and the time that
the ports of a node cannot send.

JSON: grid, placement, algorithm, ports, tie, block_bytes, rate_bits_per_second, latency_seconds, gap_seconds,
barrier_seconds, alpha, tau, steps (seconds, messages, startups, busiest_link_bytes), total_seconds, bound_seconds,
links (from, to, bytes, and axis and direction where links follow from axes). With --network lossless: network, mpi or
copies_per_block (blocks that processes copy for each one delivered) and single_block_bytes (they copy none of this size
or more), and routers (router, total_seconds, node_seconds, entry_blocked_seconds, exit_waiting_seconds, links) in place
of steps, total_seconds and links, which have busy_seconds, waiting_seconds and blocked_seconds.)";

enum class NetworkKind : std::uint8_t { steps, lossless };

constexpr std::array<std::pair<const char*, NetworkKind>, 2> network_kinds{
    {{"steps", NetworkKind::steps}, {"lossless", NetworkKind::lossless}}};

struct SimulateOptions {
  std::string grid;
  std::string placement = "identity";
  ExchangeMethod algorithm;
  std::size_t block_bytes = 0;
  program::NetworkTimes times;
  NetworkRules rules;
  std::string json;
  NetworkKind network = NetworkKind::steps;
  LosslessOptions lossless;
  std::vector<CLI::Option*> only_steps;
  std::vector<CLI::Option*> only_lossless;
};

/// An exchange with its costs and its lower bound.
struct Result {
  Placement placement;
  StepSimulation simulation;
  ExchangeBound bound;
};

/// Every message of a step takes the latency, as if the gap were equal to it.
StepModel model_of(const SimulateOptions& options) {
  const program::NetworkTimes& times = options.times;
  return {times.alpha_seconds, times.tau_seconds_per_byte, times.barrier_seconds, options.rules.ports,
          options.rules.tie};
}

Placement simulated_placement(const SimulateOptions& options) {
  Placement placement = place(parse_grid(options.grid), options.placement);
  if (placement.rank_count() > most_simulated_nodes) {
    throw std::invalid_argument(fmt::format("simulate: {} has {} nodes; the most is {}", options.grid,
                                            placement.rank_count(), most_simulated_nodes));
  }
  return placement;
}

Result simulate_exchange(const SimulateOptions& options) {
  const Placement placement = simulated_placement(options);
  const StepModel model = model_of(options);
  const Schedule schedule = exchange_schedule(options.algorithm, placement, options.rules);
  return {placement, simulate_steps(placement, schedule, options.block_bytes, model),
          complete_exchange_bound(placement.grid(), options.block_bytes, model)};
}

nlohmann::ordered_json as_json(const SimulateOptions& options, const Result& result) {
  const Grid& grid = result.placement.grid();
  nlohmann::ordered_json json{{"grid", to_string(grid)},
                              {"placement", to_string(result.placement.rule())},
                              {"algorithm", to_string(options.algorithm)},
                              {"ports", to_string(options.rules.ports)},
                              {"tie", to_string(options.rules.tie)},
                              {"block_bytes", options.block_bytes}};
  json.update(as_json(options.times));
  auto& steps = json["steps"] = nlohmann::ordered_json::array();
  for (const StepCost& step : result.simulation.steps) {
    steps.push_back({{"seconds", step.seconds},
                     {"messages", step.message_count},
                     {"startups", step.startup_count},
                     {"busiest_link_bytes", step.busiest_link_bytes}});
  }
  json["total_seconds"] = result.simulation.total_seconds;
  json["bound_seconds"] = result.bound.seconds();
  auto& links = json["links"] = nlohmann::ordered_json::array();
  for (const Link& link : links_of(grid)) {
    nlohmann::ordered_json loaded{{"from", link.from}, {"to", end_of(grid, link)}};
    if (grid.route_table() == nullptr) {
      loaded["axis"] = link.axis;
      loaded["direction"] = to_string(link.direction);
    }
    loaded["bytes"] = result.simulation.link_bytes[link_index(grid, link)];
    links.push_back(std::move(loaded));
  }
  return json;
}

double microseconds(double seconds) {
  return seconds * 1e6;
}

void print_table(const SimulateOptions& options, const Result& result) {
  fmt::print("{} exchange on {}, placement {}, {}-port, {} ties, blocks of {} bytes\n",
             to_string(options.algorithm), to_string(result.placement.grid()),
             to_string(result.placement.rule()), to_string(options.rules.ports), to_string(options.rules.tie),
             options.block_bytes);
  fmt::print("{}\n\n", to_string(options.times));
  fmt::print("{:>6}{:>10}{:>10}{:>20}{:>16}\n", "step", "messages", "startups", "busiest link in B",
             "time in us");
  for (std::size_t i = 0; i < result.simulation.steps.size(); ++i) {
    const StepCost& step = result.simulation.steps[i];
    fmt::print("{:>6}{:>10}{:>10}{:>20}{:>16.3f}\n", i, step.message_count, step.startup_count,
               step.busiest_link_bytes, microseconds(step.seconds));
  }
  const double total = result.simulation.total_seconds;
  const double bound = result.bound.seconds();
  fmt::print("\n{:<46}{:>16.3f}\n", "total", microseconds(total));
  fmt::print("{:<46}{:>16.3f}\n", "bound of any complete exchange", microseconds(bound));
  if (bound > 0) fmt::print("{:<46}{:>16.3f}\n", "total / bound", total / bound);
}

/// Throws for an option that the kind of network does not have.
void require_options_of_network(const SimulateOptions& options) {
  const bool is_lossless = options.network == NetworkKind::lossless;
  for (const CLI::Option* option : is_lossless ? options.only_steps : options.only_lossless) {
    if (option->count() == 0) continue;
    throw std::invalid_argument(fmt::format("simulate: {} is for --network {}", option->get_name(),
                                            is_lossless ? "steps" : "lossless"));
  }
}

void run(const SimulateOptions& options) {
  require_options_of_network(options);
  if (options.network == NetworkKind::lossless) {
    run_lossless(
        {simulated_placement(options), options.algorithm, options.block_bytes, options.times, options.rules},
        options.lossless, options.json);
    return;
  }
  auto json = files::open_output(options.json);
  const Result result =
      program::shown_if_long("simulating the exchange", [&] { return simulate_exchange(options); });
  if (json) json->write(program::json_text(as_json(options, result)));
  if (options.json != "-") print_table(options, result);
}

void add_simulated_exchange(CLI::App& simulate) {
  auto* command = simulate.add_subcommand("exchange", "Simulates a complete exchange");
  const auto options = std::make_shared<SimulateOptions>();
  add_grid(*command, options->grid);
  add_placement(*command, options->placement);
  auto* algorithm = program::add_parsed(*command, "--algorithm", options->algorithm, parse_exchange_method,
                                        program::algorithm_help())
                        ->type_name("NAME")
                        ->default_str("cc-cube");
  add_block(*command, options->block_bytes);
  add_ports(*command, options->rules.ports);
  add_tie(*command, options->rules.tie);
  add_links(*command, options->times);
  options->only_steps = {add_barrier(*command, options->times)};
  const auto parse_network = [](const std::string& text) {
    return program::value_named("network", text, network_kinds);
  };
  program::add_parsed(*command, "--network", options->network, parse_network,
                      "What is simulated: steps, each of which ends when all its messages have\n"
                      "arrived, or lossless, packets in routers")
      ->type_name("KIND")
      ->default_str("steps");
  options->only_lossless = add_lossless(*command, options->lossless);
  options->only_lossless.push_back(
      add_gap(*command, options->times)
          ->description("Time that a message takes each CPU of the lossless network (LogGP g).\n"
                        "Default: a quarter of the latency"));
  command->get_option("--mpi")->excludes(algorithm)->excludes(command->get_option("--window"));
  add_json(*command, options->json);
  command->footer(simulate_examples);
  command->callback([options] { run(*options); });
}

}  // namespace

void add_simulate(CLI::App& program) {
  auto* command =
      program.add_subcommand("simulate", "Computes the time of an algorithm on a network, step by step");
  command->require_subcommand(1);
  command->footer(simulate_examples);
  add_simulated_exchange(*command);
}

}  // namespace cubefold::planner
