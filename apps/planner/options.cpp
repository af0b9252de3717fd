#include "planner/options.hpp"

#include <CLI/CLI.hpp>

#include "cubefold/topology/grid.hpp"
#include "planner/planning/switched_network.hpp"
#include "program/program.hpp"
#include "program/values.hpp"

namespace cubefold::planner {

namespace {

constexpr const char* grid_help =
    "The network: torus:8x8, mesh:4x4x4, ring:16, line:16, hypercube:6\n"
    "or grid:8wx4 (w: wrapped axis), axis 0 first; or other links:\n"
    "torus:4x4,cut=0-1, torus:4x8~4 (twisted), hyperx:12x8, file:net.json;\n"
    "torus:4x4,hosts=2 has two hosts on every node";

}  // namespace

void add_grid(CLI::App& command, std::string& grid) {
  command.add_option("GRID", grid, grid_help)->check(program::read_by(parse_grid))->required();
}

void add_grid_or_switched(CLI::App& command, std::string& grid) {
  command
      .add_option("GRID", grid,
                  grid_help + std::string(";\nfat-tree, dragonfly and switch get an answer, too"))
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

void add_exchange_phase(CLI::App& command, std::string& phase) {
  command
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

CLI::Option* add_ports(CLI::App& command, Ports& ports) {
  return program::add_parsed(command, "--ports", ports, parse_ports,
                             "Messages that a node sends at a time: one, or all (one over each link)")
      ->type_name("PORTS")
      ->default_str(std::string(to_string(ports)));
}

CLI::Option* add_seconds(CLI::App& command, const std::string& name, double& seconds,
                         const std::string& help) {
  return command.add_option(name, seconds, help)
      ->check(program::number(0))
      ->type_name("S")
      ->capture_default_str();
}

CLI::Option* add_tau(CLI::App& command, std::vector<double>& seconds_per_byte) {
  return command
      .add_option("--tau", seconds_per_byte,
                  "Seconds per byte of a link, or one value for each axis, separated by commas")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(program::number(0))
      ->type_name("S/B")
      ->default_str("1e-09");
}

void add_json(CLI::App& command, std::string& json) {
  command.add_option("--json", json, "Write JSON to this file; - is standard output, without the table")
      ->type_name("FILE");
}

}  // namespace cubefold::planner
