#include "planner/options.hpp"

#include <CLI/CLI.hpp>

#include "planner/planning/switched_network.hpp"
#include "program/program.hpp"
#include "program/values.hpp"

namespace cubefold::planner {

namespace {

/// Throws if the machine file was made for another grid. Hosts and MPI library are not compared, because the planner
/// does not know those of the later run.
void require_made_for(const Grid& grid, const Machine& machine) {
  require_fits(machine, {grid, machine.host_count, machine.mpi_library});
}

}  // namespace

void add_grid(CLI::App& command, std::string& grid) {
  command.add_option("GRID", grid, program::grid_help())->check(program::read_by(parse_grid))->required();
}

void add_grid_or_switched(CLI::App& command, std::string& grid) {
  command
      .add_option("GRID", grid, program::grid_help() + ";\nfat-tree, dragonfly and switch get an answer, too")
      ->check(program::read_by(check_grid_or_switched))
      ->required();
}

void add_placement(CLI::App& command, std::string& placement) {
  command.add_option("--placement", placement, program::placement_help())
      ->check(program::read_by(program::check_placement))
      ->type_name("RULE")
      ->capture_default_str();
}

void add_block(CLI::App& command, std::size_t& block_bytes) {
  command
      .add_option("--block", block_bytes,
                  "Bytes that each rank sends each other rank; KiB and MiB may follow")
      ->transform(program::size_in_bytes())
      ->type_name("BYTES")
      ->required();
}

void add_vector_size(CLI::App& command, std::size_t& vector_bytes) {
  command.add_option("--size", vector_bytes, "Bytes of the whole vector; KiB and MiB may follow")
      ->transform(program::size_in_bytes())
      ->type_name("BYTES")
      ->required();
}

CLI::Option* add_per_node(CLI::App& command, std::size_t& per_node, std::size_t most) {
  return command.add_option("--per-node", per_node, "Ranks on each node")
      ->transform(program::whole_number(1, most))
      ->type_name("K")
      ->capture_default_str();
}

CLI::Option* add_exchange_phase(CLI::App& command, std::string& phase) {
  return command
      .add_option("--phase", phase,
                  "The exchange: alltoall, of all ranks; or alltoall:rows=16x32 or\n"
                  "alltoall:columns=16x32, of the ranks of every row or column at the same time")
      ->type_name("PHASE")
      ->capture_default_str();
}

void add_tie(CLI::App& command, Tie& tie) {
  program::add_parsed(command, "--tie", tie, parse_tie,
                      "Direction of routes that lead half way round a ring: positive, always up,\n"
                      "or balanced, up from even coordinates and down from odd ones")
      ->type_name("TIE")
      ->default_str(std::string(to_string(tie)));
}

CLI::Option* add_queues(CLI::App& command, Queues& queues) {
  return program::add_parsed(command, "--queues", queues, parse_queues,
                             "What full queues of the network do: lossless (senders wait; exchanges run\n"
                             "by data, and the gap is a quarter of the latency without --gap), lossy, or\n"
                             "unknown")
      ->type_name("KIND")
      ->default_str(std::string(to_string(queues)));
}

CLI::Option* add_ports(CLI::App& command, Ports& ports) {
  return program::add_parsed(command, "--ports", ports, parse_ports,
                             "Messages that a node sends at a time: one, or all (one over each link)")
      ->type_name("PORTS")
      ->default_str(std::string(to_string(ports)));
}

std::vector<CLI::Option*> add_links(CLI::App& command, program::NetworkTimes& times) {
  const auto parse_rates = [](const std::vector<std::string>& texts) {
    std::vector<double> taus;
    taus.reserve(texts.size());
    for (const std::string& text : texts) taus.push_back(program::parse_rate(text));
    return taus;
  };
  auto* rate = program::add_parsed<std::vector<std::string>>(
                   command, "--rate", times.tau_seconds_per_byte, parse_rates,
                   "Bits per second of each link in each direction, as 200gbit or 800mbit, or\n"
                   "one rate for each axis, separated by commas")
                   ->delimiter(',')
                   ->allow_extra_args(false)
                   ->type_name("RATE")
                   ->default_str("100gbit");
  auto* tau = command.add_option("--tau", times.tau_seconds_per_byte, "The rate as tau, in seconds per byte")
                  ->delimiter(',')
                  ->allow_extra_args(false)
                  ->check(program::number(0))
                  ->type_name("S/B")
                  ->excludes(rate);
  auto* latency = program::add_parsed(command, "--latency", times.alpha_seconds, program::parse_time,
                                      "Time of a message without bytes, as 1.5us or 800ns")
                      ->type_name("TIME")
                      ->default_str("1.5us");
  auto* alpha = command.add_option("--alpha", times.alpha_seconds, "The latency as alpha, in seconds")
                    ->check(program::number(0))
                    ->type_name("S")
                    ->excludes(latency);
  return {rate, tau, latency, alpha};
}

CLI::Option* add_gap(CLI::App& command, program::NetworkTimes& times) {
  return program::add_parsed(command, "--gap", times.gap_seconds, program::parse_time_or_seconds,
                             "Time of each further message in a stream (LogGP g). Default: the latency,\n"
                             "or a quarter of it where queues are lossless")
      ->type_name("TIME");
}

CLI::Option* add_barrier(CLI::App& command, program::NetworkTimes& times) {
  return program::add_parsed(command, "--barrier", times.barrier_seconds, program::parse_time_or_seconds,
                             "Time of a barrier of all processes")
      ->type_name("TIME")
      ->default_str("0us");
}

CLI::Option* add_machine(CLI::App& command, std::string& machine, const std::vector<CLI::Option*>& values) {
  auto* option =
      command.add_option("--machine", machine, "Machine file of cubefold-calibrate, with all these values")
          ->type_name("FILE");
  for (CLI::Option* value : values) option->excludes(value);
  return option;
}

ExchangeModel model_of(const ModelOptions& options, const Grid& network) {
  if (options.machine.empty()) return program::model_of(options.times, options.rules, options.queues);
  const Machine machine = read_machine(options.machine);
  require_made_for(network, machine);
  return exchange_model(machine, options.rules.tie);
}

void add_schedule_files(CLI::App& command, std::string& json, std::string& table) {
  command
      .add_option("--json", json,
                  "Write the schedule of the choice to this file; - is standard output,\n"
                  "without the table")
      ->type_name("FILE");
  command.add_option("--table", table, "Write all candidates as JSON to this file or to -")
      ->type_name("FILE");
}

void add_json(CLI::App& command, std::string& json) {
  command.add_option("--json", json, "Write JSON to this file; - is standard output, without the table")
      ->type_name("FILE");
}

}  // namespace cubefold::planner
