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

#include "collective/vector_on_nodes.hpp"
#include "cubefold/embedding/node_sharing.hpp"
#include "cubefold/exchange/method.hpp"
#include "cubefold/plan/mapping.hpp"
#include "cubefold/simulation/steps.hpp"
#include "files/output.hpp"
#include "plan/vector_plan.hpp"
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
  cubefold simulate allreduce torus:8x8 --size 1MiB --ports all --algorithm bucket:4

With --network lossless, packets travel through routers with finite buffers, and messages are posted when their blocks
have arrived: nothing keeps steps apart. The table has the time for each router, the busiest link, the longest time that
a link is idle though packets wait for it, the time that packets wait for a link, summed over packets, and the time that
the ports of a node cannot send.

JSON: grid, placement, algorithm, ports, tie, block_bytes (allreduce and its kin: per_node, vector_bytes, chunk_bytes),
rate_bits_per_second, latency_seconds, gap_seconds, barrier_seconds, alpha, tau, steps (seconds, messages, startups,
busiest_link_bytes), total_seconds, bound_seconds, links (from, to, bytes, and axis and direction where links follow
from axes). With --network lossless: network, mpi or copies_per_block (blocks that processes copy for each one
delivered) and single_block_bytes (they copy none of this size or more), and routers (router, total_seconds,
node_seconds, entry_blocked_seconds, exit_waiting_seconds, links) in place of steps, total_seconds and links, which
have busy_seconds, waiting_seconds and blocked_seconds.)";

enum class NetworkKind : std::uint8_t { steps, lossless };

constexpr std::array<std::pair<const char*, NetworkKind>, 2> network_kinds{
    {{"steps", NetworkKind::steps}, {"lossless", NetworkKind::lossless}}};

/// The network of a simulation, and where ranks are.
struct NetworkOptions {
  std::string grid;
  std::string placement = "identity";
  program::NetworkTimes times;
  NetworkRules rules;
};

struct ExchangeOptions {
  NetworkOptions network;
  ExchangeMethod algorithm;
  std::size_t block_bytes = 0;
  std::string json;
  NetworkKind kind = NetworkKind::steps;
  LosslessOptions lossless;
  std::vector<CLI::Option*> only_steps;
  std::vector<CLI::Option*> only_lossless;
};

struct VectorOptions {
  VectorCollective collective = VectorCollective::allreduce;
  NetworkOptions network;
  VectorMethod method;
  std::size_t per_node = 1;
  std::size_t vector_bytes = 0;
  std::string json;
};

/// A collective with its costs and the lower bound of its kind.
struct Result {
  std::string collective;
  std::string algorithm;
  Placement placement;
  StepSimulation simulation;
  double bound_seconds;
  nlohmann::ordered_json sizes;
  std::string sizes_text;
};

/// Every message of a step takes the latency, as if the gap were equal to it.
StepModel model_of(const NetworkOptions& network) {
  const program::NetworkTimes& times = network.times;
  return {times.alpha_seconds, times.tau_seconds_per_byte, times.barrier_seconds, network.rules.ports,
          network.rules.tie};
}

void require_countable(const NetworkOptions& network, std::size_t count, const char* counted) {
  if (count <= most_simulated_nodes) return;
  throw std::invalid_argument(fmt::format("simulate: {} has {} {}; the most is {}", network.grid, count,
                                          counted, most_simulated_nodes));
}

Placement simulated_placement(const NetworkOptions& network) {
  Placement placement = place(parse_grid(network.grid), network.placement);
  require_countable(network, placement.rank_count(), "nodes");
  return placement;
}

Result simulate_exchange(const ExchangeOptions& options) {
  const Placement placement = simulated_placement(options.network);
  const StepModel model = model_of(options.network);
  const Schedule schedule = exchange_schedule(options.algorithm, placement, options.network.rules);
  return {"complete exchange",
          to_string(options.algorithm),
          placement,
          simulate_steps(placement, schedule, options.block_bytes, model),
          complete_exchange_bound(placement.grid(), options.block_bytes, model).seconds(),
          {{"block_bytes", options.block_bytes}},
          fmt::format("blocks of {} bytes", options.block_bytes)};
}

/// Chunks are of one size, so the last ones may be shorter than they are simulated. A step also reduces what arrives,
/// and copies what stays on a node, whose time is not counted.
Result simulate_vector(const VectorOptions& options) {
  const Placement placement = simulated_placement(options.network);
  const StepModel model = model_of(options.network);
  const NodeSharing sharing(placement, options.per_node);
  require_countable(options.network, sharing.rank_count(), "ranks");
  const Schedule schedule =
      between_nodes(vector_parts(options.collective, options.method, sharing).whole(), sharing);
  const std::size_t chunks = collective_of(options.collective, options.method, sharing).chunk_count();
  const std::size_t chunk_bytes = (options.vector_bytes + chunks - 1) / chunks;
  const VectorBound bound = vector_bound(options.collective, placement.grid(), options.network.rules.ports);
  return {
      std::string(to_string(options.collective)),
      to_string(options.method),
      placement,
      simulate_steps(placement, schedule, chunk_bytes, model),
      bound.seconds(options.vector_bytes, model.alpha_seconds, model.tau_seconds_per_byte),
      {{"per_node", options.per_node}, {"vector_bytes", options.vector_bytes}, {"chunk_bytes", chunk_bytes}},
      fmt::format("a vector of {} bytes in chunks of {}", options.vector_bytes, chunk_bytes)};
}

nlohmann::ordered_json as_json(const NetworkOptions& network, const Result& result) {
  const Grid& grid = result.placement.grid();
  nlohmann::ordered_json json{{"grid", to_string(grid)},
                              {"placement", to_string(result.placement.rule())},
                              {"algorithm", result.algorithm},
                              {"ports", to_string(network.rules.ports)},
                              {"tie", to_string(network.rules.tie)}};
  json.update(result.sizes);
  json.update(as_json(network.times));
  auto& steps = json["steps"] = nlohmann::ordered_json::array();
  for (const StepCost& step : result.simulation.steps) {
    steps.push_back({{"seconds", step.seconds},
                     {"messages", step.message_count},
                     {"startups", step.startup_count},
                     {"busiest_link_bytes", step.busiest_link_bytes}});
  }
  json["total_seconds"] = result.simulation.total_seconds;
  json["bound_seconds"] = result.bound_seconds;
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

void print_table(const NetworkOptions& network, const Result& result) {
  fmt::print("{} by {} on {}, placement {}, {}-port, {} ties, {}\n", result.collective, result.algorithm,
             to_string(result.placement.grid()), to_string(result.placement.rule()),
             to_string(network.rules.ports), to_string(network.rules.tie), result.sizes_text);
  fmt::print("{}\n\n", to_string(network.times));
  fmt::print("{:>6}{:>10}{:>10}{:>20}{:>16}\n", "step", "messages", "startups", "busiest link in B",
             "time in us");
  for (std::size_t i = 0; i < result.simulation.steps.size(); ++i) {
    const StepCost& step = result.simulation.steps[i];
    fmt::print("{:>6}{:>10}{:>10}{:>20}{:>16.3f}\n", i, step.message_count, step.startup_count,
               step.busiest_link_bytes, microseconds(step.seconds));
  }
  const double total = result.simulation.total_seconds;
  const double bound = result.bound_seconds;
  fmt::print("\n{:<46}{:>16.3f}\n", "total", microseconds(total));
  fmt::print("{:<46}{:>16.3f}\n", fmt::format("bound of any {}", result.collective), microseconds(bound));
  if (bound > 0) fmt::print("{:<46}{:>16.3f}\n", "total / bound", total / bound);
}

/// Throws for an option that the kind of network does not have.
void require_options_of_network(const ExchangeOptions& options) {
  const bool is_lossless = options.kind == NetworkKind::lossless;
  for (const CLI::Option* option : is_lossless ? options.only_steps : options.only_lossless) {
    if (option->count() == 0) continue;
    throw std::invalid_argument(fmt::format("simulate: {} is for --network {}", option->get_name(),
                                            is_lossless ? "steps" : "lossless"));
  }
}

/// Simulates, and writes what is asked for. simulate() returns a Result.
template <typename Simulate>
void show(const NetworkOptions& network, const std::string& json_path, Simulate simulate) {
  auto json = files::open_output(json_path);
  const Result result = program::shown_if_long("simulating", simulate);
  if (json) json->write(program::json_text(as_json(network, result)));
  if (json_path != "-") print_table(network, result);
}

void run(const ExchangeOptions& options) {
  require_options_of_network(options);
  if (options.kind == NetworkKind::steps)
    return show(options.network, options.json, [&] { return simulate_exchange(options); });
  run_lossless({simulated_placement(options.network), options.algorithm, options.block_bytes,
                options.network.times, options.network.rules},
               options.lossless, options.json);
}

void add_network(CLI::App& command, NetworkOptions& network) {
  add_grid(command, network.grid);
  add_placement(command, network.placement);
  add_ports(command, network.rules.ports);
  add_tie(command, network.rules.tie);
  add_links(command, network.times);
}

void add_simulated_vectors(CLI::App& simulate) {
  for (const VectorCollective collective : all_vector_collectives) {
    const std::string name(to_string(collective));
    auto* command = simulate.add_subcommand(name, fmt::format("Simulates {}", name));
    const auto options = std::make_shared<VectorOptions>();
    options->collective = collective;
    add_network(*command, options->network);
    add_barrier(*command, options->network.times);
    add_per_node(*command, options->per_node, most_simulated_nodes)
        ->description("Ranks on each node; a message between them takes no time");
    add_vector_size(*command, options->vector_bytes);
    program::add_parsed(*command, "--algorithm", options->method, parse_vector_method, vector_method_help)
        ->type_name("NAME")
        ->default_str("bucket");
    add_json(*command, options->json);
    command->footer(simulate_examples);
    command->callback(
        [options] { show(options->network, options->json, [&] { return simulate_vector(*options); }); });
  }
}

void add_simulated_exchange(CLI::App& simulate) {
  auto* command = simulate.add_subcommand("exchange", "Simulates a complete exchange");
  const auto options = std::make_shared<ExchangeOptions>();
  add_network(*command, options->network);
  auto* algorithm = program::add_parsed(*command, "--algorithm", options->algorithm, parse_exchange_method,
                                        program::algorithm_help())
                        ->type_name("NAME")
                        ->default_str("cc-cube");
  add_block(*command, options->block_bytes);
  options->only_steps = {add_barrier(*command, options->network.times)};
  const auto parse_network = [](const std::string& text) {
    return program::value_named("network", text, network_kinds);
  };
  program::add_parsed(*command, "--network", options->kind, parse_network,
                      "What is simulated: steps, each of which ends when all its messages have\n"
                      "arrived, or lossless, packets in routers")
      ->type_name("KIND")
      ->default_str("steps");
  options->only_lossless = add_lossless(*command, options->lossless);
  options->only_lossless.push_back(
      add_gap(*command, options->network.times)
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
  add_simulated_vectors(*command);
}

}  // namespace cubefold::planner
