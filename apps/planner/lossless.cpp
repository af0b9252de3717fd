#include "planner/lossless.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "cubefold/simulation/steps.hpp"
#include "exchange/copies_per_block.hpp"
#include "files/output.hpp"
#include "plan/alltoall_setup.hpp"
#include "planner/drawing/drawn_phases.hpp"
#include "planner/drawing/picture.hpp"
#include "program/json.hpp"
#include "program/progress.hpp"
#include "program/values.hpp"
#include "simulation/packets.hpp"

namespace cubefold::planner {

namespace {

constexpr std::array<std::pair<const char*, Arbitration>, 3> routers{
    {{"voq", Arbitration::voq}, {"transit", Arbitration::transit}, {"rr", Arbitration::rr}}};

constexpr std::array<std::pair<const char*, MpiAlltoall>, 4> mpi_names{{{"linear", MpiAlltoall::linear},
                                                                        {"scattered", MpiAlltoall::scattered},
                                                                        {"pairwise", MpiAlltoall::pairwise},
                                                                        {"bruck", MpiAlltoall::bruck}}};

struct Row {
  std::string router;
  PacketTimes times;
};

std::vector<std::string> known_routers(const std::vector<std::string>& names) {
  for (const std::string& name : names) program::value_named("router", name, routers);
  return names;
}

std::string known_mpi(const std::string& name) {
  program::value_named("all-to-all of MPI", name, mpi_names);
  return name;
}

double microseconds(double seconds) {
  return seconds * 1e6;
}

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

double gap_of(const LosslessExchange& exchange) {
  return exchange.times.gap_seconds.value_or(exchange.times.alpha_seconds / 4);
}

/// Divides the latency of a message between neighbours: a gap for each of the two CPUs, a hop for each of the two
/// routers, and the rest for the adapter. A gap that is not given is a quarter of the latency, and a hop a twelfth: 1.2
/// us are gaps of 0.3 us, hops of 0.1 us, and 0.4 us.
std::pair<PacketNetwork, PacketNodes> described(const LosslessExchange& exchange,
                                                const LosslessOptions& options) {
  const double latency = exchange.times.alpha_seconds;
  const double gap = gap_of(exchange);
  PacketNetwork network;
  network.tau_seconds_per_byte = exchange.times.tau_seconds_per_byte;
  network.hop_seconds = latency / 12;
  network.ports = exchange.rules.ports;
  network.tie = exchange.rules.tie;
  network.injection_rate = options.injection_rate;
  PacketNodes nodes;
  nodes.post_seconds = nodes.complete_seconds = gap;
  nodes.adapter_seconds = latency - 2 * gap - 2 * network.hop_seconds;
  nodes.eager_bytes = options.eager_bytes;
  if (nodes.adapter_seconds >= 0) return {network, nodes};
  throw std::invalid_argument(
      fmt::format("simulate: a latency of {:.4g} us is below two gaps of {:.4g} us and two hops of {:.4g} us",
                  microseconds(latency), microseconds(gap), microseconds(network.hop_seconds)));
}

PacketProgram program_of(const LosslessExchange& exchange, const LosslessOptions& options) {
  if (!options.mpi.empty()) {
    return mpi_program(node_of_rank(exchange.placement),
                       program::value_named("all-to-all of MPI", options.mpi, mpi_names),
                       exchange.block_bytes);
  }
  return program_by_data(exchange.placement,
                         exchange_schedule(exchange.algorithm, exchange.placement, exchange.rules),
                         exchange.block_bytes, {.window = options.window});
}

std::vector<Row> simulate(const LosslessExchange& exchange, const LosslessOptions& options) {
  auto [network, nodes] = described(exchange, options);
  const PacketProgram program = program_of(exchange, options);
  std::vector<Row> rows;
  for (const std::string& router : options.routers) {
    network.arbitration = program::value_named("router", router, routers);
    rows.push_back({router, simulate_packets(exchange.placement.grid(), network, nodes, program)});
  }
  return rows;
}

double bound_of(const LosslessExchange& exchange) {
  const StepModel model{0, exchange.times.tau_seconds_per_byte, 0, exchange.rules.ports, exchange.rules.tie};
  return complete_exchange_bound(exchange.placement.grid(), exchange.block_bytes, model).seconds();
}

double copies_of(const LosslessExchange& exchange) {
  return copies_per_block(exchange.algorithm, exchange.placement, exchange.rules);
}

/// Returns a line about the copies of an exchange that cubefold makes. They take no time in the simulation.
std::string copies_text(const LosslessExchange& exchange) {
  const double copies = copies_of(exchange);
  if (copies == 0) return "processes copy no block that travels\n";
  return fmt::format("processes copy {:.2f} blocks for each one delivered, but none of {} bytes or more\n",
                     copies, least_single_block_bytes(gap_of(exchange)));
}

std::string name_of(const LosslessExchange& exchange, const LosslessOptions& options) {
  return options.mpi.empty() ? to_string(exchange.algorithm) : "MPI's " + options.mpi;
}

nlohmann::ordered_json as_json(const LosslessExchange& exchange, const LosslessOptions& options,
                               const std::vector<Row>& rows) {
  const Grid& grid = exchange.placement.grid();
  nlohmann::ordered_json json{{"grid", to_string(grid)},
                              {"placement", to_string(exchange.placement.rule())},
                              {"network", "lossless"},
                              {options.mpi.empty() ? "algorithm" : "mpi",
                               options.mpi.empty() ? to_string(exchange.algorithm) : options.mpi},
                              {"ports", to_string(exchange.rules.ports)},
                              {"tie", to_string(exchange.rules.tie)},
                              {"block_bytes", exchange.block_bytes}};
  program::NetworkTimes times_with_gap = exchange.times;
  times_with_gap.gap_seconds = gap_of(exchange);
  json.update(program::as_json(times_with_gap));
  json["bound_seconds"] = bound_of(exchange);
  if (options.mpi.empty()) {
    json["copies_per_block"] = copies_of(exchange);
    json["single_block_bytes"] = least_single_block_bytes(gap_of(exchange));
  }
  auto& results = json["routers"] = nlohmann::ordered_json::array();
  for (const auto& [router, times] : rows) {
    nlohmann::ordered_json result{{"router", router},
                                  {"total_seconds", times.total_seconds},
                                  {"node_seconds", times.node_seconds},
                                  {"entry_blocked_seconds", times.entry_blocked},
                                  {"exit_waiting_seconds", times.exit_waiting}};
    auto& links = result["links"] = nlohmann::ordered_json::array();
    for (const Link& link : links_of(grid)) {
      const std::size_t index = link_index(grid, link);
      links.push_back({{"from", link.from},
                       {"to", end_of(grid, link)},
                       {"busy_seconds", times.link_busy[index]},
                       {"waiting_seconds", times.link_waiting[index]},
                       {"blocked_seconds", times.link_blocked[index]}});
    }
    results.push_back(std::move(result));
  }
  return json;
}

void print_table(const LosslessExchange& exchange, const LosslessOptions& options,
                 const std::vector<Row>& rows) {
  const double bound = bound_of(exchange);
  fmt::print("{} exchange on {}, placement {}, {}-port, {} ties, blocks of {} bytes, lossless\n",
             name_of(exchange, options), to_string(exchange.placement.grid()),
             to_string(exchange.placement.rule()), to_string(exchange.rules.ports),
             to_string(exchange.rules.tie), exchange.block_bytes);
  fmt::print("links and ports need at least {:.3f} us\n", microseconds(bound));
  if (options.mpi.empty()) fmt::print("{}", copies_text(exchange));
  fmt::print("\n");
  fmt::print("{:<10}{:>16}{:>10}{:>16}{:>16}{:>16}{:>16}\n", "router", "time in us", "/ bound",
             "busiest link", "most blocked", "waiting, mean", "ports blocked");
  for (const auto& [router, times] : rows) {
    const double link_count = static_cast<double>(std::max<std::size_t>(times.link_busy.size(), 1));
    const auto node_count = static_cast<double>(times.node_seconds.size());
    const auto most = [](const std::vector<double>& values) {
      return values.empty() ? 0.0 : *std::max_element(values.begin(), values.end());
    };
    fmt::print("{:<10}{:>16.3f}{:>10.3f}{:>16.3f}{:>16.3f}{:>16.3f}{:>16.3f}\n", router,
               microseconds(times.total_seconds), bound > 0 ? times.total_seconds / bound : 0.0,
               microseconds(most(times.link_busy)), microseconds(most(times.link_blocked)),
               microseconds(sum(times.link_waiting) / link_count),
               microseconds(sum(times.entry_blocked) / node_count));
  }
}

/// Draws how long packets have waited for each link, one panel for each router.
std::string picture_of(const LosslessExchange& exchange, const LosslessOptions& options,
                       const std::vector<Row>& rows) {
  Picture picture{exchange.placement.grid(), "us",
                  fmt::format("{} on {}: time that packets wait for each link", name_of(exchange, options),
                              to_string(exchange.placement.grid()))};
  for (const auto& [router, times] : rows) {
    Panel panel{fmt::format("{}: {:.1f} us", router, microseconds(times.total_seconds)),
                node_of_rank(exchange.placement), times.link_waiting};
    for (double& waiting : panel.loads) waiting = microseconds(waiting);
    picture.panels.push_back(std::move(panel));
  }
  return to_svg(picture);
}

}  // namespace

std::vector<CLI::Option*> add_lossless(CLI::App& command, LosslessOptions& options) {
  auto* router = program::add_parsed<std::vector<std::string>>(
                     command, "--router", options.routers, known_routers,
                     "Routers of the lossless network: voq (no packet waits behind one that goes\n"
                     "elsewhere), transit (FIFOs, packets under way first) or rr (FIFOs in turn)")
                     ->delimiter(',')
                     ->allow_extra_args(false)
                     ->type_name("NAME")
                     ->default_str("voq,transit,rr");
  auto* mpi =
      program::add_parsed(command, "--mpi", options.mpi, known_mpi,
                          "An all-to-all of MPI in place of --algorithm: linear, scattered, pairwise\n"
                          "or bruck")
          ->type_name("NAME");
  auto* eager = command
                    .add_option("--eager", options.eager_bytes,
                                "Longer messages wait for an answer of the receiver; KiB and MiB may\n"
                                "follow. Default: none")
                    ->transform(program::size_in_bytes())
                    ->type_name("BYTES");
  auto* window = command
                     .add_option("--window", options.window,
                                 "Steps by which a message may be ahead of what its sender has received.\n"
                                 "Default: any number")
                     ->transform(program::whole_number(1))
                     ->type_name("N");
  auto* injection =
      command
          .add_option("--injection", options.injection_rate, "Share of a link's rate at which a port sends")
          ->check(program::number(0.01, 1))
          ->type_name("SHARE")
          ->capture_default_str();
  auto* svg = command
                  .add_option("--svg", options.svg,
                              "Draw how long packets wait for each link of the lossless network, as\n"
                              "SVG; - is standard output, without the table")
                  ->type_name("FILE");
  return {router, mpi, eager, window, injection, svg};
}

void run_lossless(const LosslessExchange& exchange, const LosslessOptions& options, const std::string& json) {
  if (json == "-" && options.svg == "-")
    throw std::invalid_argument("simulate: --json and --svg cannot both write to standard output");
  if (!options.svg.empty()) require_drawable(exchange.placement.grid());
  auto json_file = files::open_output(json);
  auto svg_file = files::open_output(options.svg);
  const auto rows =
      program::shown_if_long("simulating the exchange", [&] { return simulate(exchange, options); });
  if (json_file) json_file->write(program::json_text(as_json(exchange, options, rows)));
  if (svg_file) svg_file->write(picture_of(exchange, options, rows));
  if (json != "-" && options.svg != "-") print_table(exchange, options, rows);
}

}  // namespace cubefold::planner
