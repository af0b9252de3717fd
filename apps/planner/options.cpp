#include "planner/options.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <string_view>

#include "program/program.hpp"

namespace cubefold::planner {

namespace {

/// The value whose name the text is. Throws std::invalid_argument that lists the names.
template <typename Value>
Value named(std::string_view option, const std::string& text, Value first, Value second) {
  for (const Value value : {first, second}) {
    if (to_string(value) == text) return value;
  }
  throw std::invalid_argument(fmt::format("--{}: unknown value '{}'; known: {}, {}", option, text,
                                          to_string(first), to_string(second)));
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
          "--tie",
          [&tie](const std::string& text) { tie = named("tie", text, Tie::positive, Tie::balanced); },
          "Which way at half a ring: positive, always up, or balanced, up from\n"
          "even coordinates and down from odd ones")
      ->type_name("TIE")
      ->default_str(to_string(tie));
}

void add_ports(CLI::App& command, Ports& ports) {
  command
      .add_option_function<std::string>(
          "--ports",
          [&ports](const std::string& text) { ports = named("ports", text, Ports::one, Ports::all); },
          "What a node sends at a time: one message, or all that have links")
      ->type_name("PORTS")
      ->default_str(to_string(ports));
}

void add_json(CLI::App& command, std::string& json) {
  command
      .add_option("--json", json, "Write JSON to this file, or instead of the table to standard output: -")
      ->type_name("FILE");
}

std::string to_string(Tie tie) {
  switch (tie) {
    case Tie::positive:
      return "positive";
    case Tie::balanced:
      break;
  }
  return "balanced";
}

std::string to_string(Ports ports) {
  switch (ports) {
    case Ports::one:
      return "one";
    case Ports::all:
      break;
  }
  return "all";
}

std::string to_string(Direction direction) {
  switch (direction) {
    case Direction::positive:
      return "positive";
    case Direction::negative:
      break;
  }
  return "negative";
}

}  // namespace cubefold::planner
