#include "planner/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <stdexcept>
#include <string_view>

#include "program/program.hpp"

namespace cubefold::planner {

namespace {

/// What `parse` makes of an option's text; its error names the option first.
template <typename Value>
Value named(std::string_view option, Value (*parse)(std::string_view), const std::string& text) {
  try {
    return parse(text);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", option, error.what()));
  }
}

/// CLI11 reads -1 as the largest size there is; this comes first.
std::string negative_size(const std::string& text) {
  return text.starts_with('-') ? fmt::format("size {} is negative", text) : "";
}

}  // namespace

void add_grid(CLI::App& command, std::string& grid) {
  command
      .add_option("GRID", grid,
                  "The network: torus:8x8, mesh:4x4x4, ring:16, line:16, hypercube:6\n"
                  "or grid:8wx4 (w: wrapped axis), axis 0 first")
      ->required();
}

void add_placement(CLI::App& command, std::string& placement) {
  command.add_option("--placement", placement, program::placement_help)
      ->type_name("RULE")
      ->capture_default_str();
}

void add_block(CLI::App& command, std::size_t& block_bytes) {
  command
      .add_option("--block", block_bytes, "Bytes that each rank has for each other; KiB and MiB may follow")
      ->transform(CLI::AsSizeValue(false))
      ->transform(CLI::Validator(negative_size, ""))
      ->type_name("BYTES")
      ->required();
}

void add_tie(CLI::App& command, Tie& tie) {
  command
      .add_option_function<std::string>(
          "--tie", [&tie](const std::string& text) { tie = named("--tie", parse_tie, text); },
          "Which way at half a ring: positive, always up, or balanced, up from\n"
          "even coordinates and down from odd ones")
      ->type_name("TIE")
      ->default_str(std::string(to_string(tie)));
}

CLI::Option* add_ports(CLI::App& command, Ports& ports) {
  return command
      .add_option_function<std::string>(
          "--ports", [&ports](const std::string& text) { ports = named("--ports", parse_ports, text); },
          "What a node sends at a time: one message, or all that have links")
      ->type_name("PORTS")
      ->default_str(std::string(to_string(ports)));
}

void add_json(CLI::App& command, std::string& json) {
  command
      .add_option("--json", json, "Write JSON to this file, or instead of the table to standard output: -")
      ->type_name("FILE");
}

}  // namespace cubefold::planner
