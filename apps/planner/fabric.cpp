#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <stdexcept>

#include "files/output.hpp"
#include "planner/commands.hpp"
#include "planner/fabric/analysis.hpp"
#include "planner/fabric/network_json.hpp"
#include "planner/fabric/opensm_files.hpp"
#include "planner/options.hpp"
#include "program/json.hpp"
#include "program/program.hpp"
#include "program/progress.hpp"
#include "program/shown.hpp"
#include "program/values.hpp"

namespace cubefold::planner {

namespace {

constexpr const char* fabric_examples = R"(Examples:
  ibnetdiscover > fabric.txt; cubefold fabric fabric.txt
  cubefold fabric fabric.txt --lfts /var/log/opensm-lfts.dump
  cubefold fabric fabric.txt --port-order ports.txt; opensm -R dor -O ports.txt
  cubefold fabric fabric.txt --grid torus:4x4x4 --torus-2qos torus-2QoS.conf
  cubefold fabric fabric.txt --lfts opensm-lfts.dump --network net.json; cubefold routes file:net.json

Every host sends a message to every other one, and the messages on the busiest link between two switches are counted.
A cycle is one of the channel dependency graph: without one, the routes cannot deadlock. dor is OpenSM's dimension
order routing, with the ports as they are cabled and in the order that --port-order writes.

JSON: network (or null, and reason), switches, hosts, hosts_per_switch (least, most), missing (cables of the network),
remarks (on what is left out), bound, routes (for each: routes, messages, busiest_link, cycle: its switches).)";

struct FabricOptions {
  std::string fabric;
  std::string lfts;
  std::string adapter;
  std::string grid;
  std::string port_order;
  std::string torus_2qos;
  std::string network;
  std::string json;
};

/// Calls read() and puts the name of a file before what it throws.
template <typename Read>
auto read_as(const std::string& path, Read&& read) {
  try {
    return read();
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", program::name_of(path), error.what()));
  }
}

Fabric read_fabric(const std::string& path, const std::string& adapter) {
  return read_as(path, [&] {
    Fabric fabric = parse_ibnetdiscover(program::read_text(path, most_input_bytes), adapter);
    require_hosts(fabric);
    return fabric;
  });
}

/// Recognises the fabric. Only the routes of tables need no grid.
void recognise(const FabricOptions& options, FabricReport& report) {
  const auto wanted = options.grid.empty() ? std::nullopt : std::optional(parse_grid(options.grid));
  try {
    report.found = grid_of_fabric(report.fabric, wanted);
  } catch (const std::invalid_argument& error) {
    report.reason = error.what();
  }
  const bool needs_grid =
      options.lfts.empty() || wanted || !options.port_order.empty() || !options.torus_2qos.empty();
  if (report.found || !needs_grid) return;
  throw std::invalid_argument(fmt::format("{}: {}", program::name_of(options.fabric), report.reason));
}

/// Adds what the routes of the tables do, and returns these routes.
FabricRoutes add_table_routes(const FabricOptions& options, FabricReport& report) {
  const auto text = program::read_text(options.lfts, most_input_bytes);
  return read_as(options.lfts, [&] {
    auto routes = table_routes(report.fabric, parse_forwarding_tables(text));
    report.routes.push_back(report_of_routes(report.fabric, "forwarding tables", routes));
    return routes;
  });
}

/// Adds what the routes by dimension order do, and returns those with the ports in the order of the axes.
FabricRoutes add_ordered_routes(FabricReport& report) {
  const auto as_cabled = first_port_routes(report.fabric, {});
  auto in_order = first_port_routes(report.fabric, ports_by_axis(report.fabric, *report.found));
  report.routes.push_back(report_of_routes(report.fabric, "dor, ports as cabled", as_cabled));
  report.routes.push_back(report_of_routes(report.fabric, "dor, ports in order", in_order));
  return in_order;
}

/// Adds all reports, and returns the routes of --network: those of the tables if there are any.
FabricRoutes add_reports(const FabricOptions& options, FabricReport& report) {
  FabricRoutes of_tables;
  if (!options.lfts.empty()) of_tables = add_table_routes(options, report);
  if (!report.found) return of_tables;
  auto in_order = add_ordered_routes(report);
  return of_tables ? of_tables : in_order;
}

/// The files that options ask for. All are found to be writable before the work begins.
struct Outputs {
  std::optional<files::Output> port_order, torus_2qos, network, json;

  explicit Outputs(const FabricOptions& options)
      : port_order(files::open_output(options.port_order)),
        torus_2qos(files::open_output(options.torus_2qos)),
        network(files::open_output(options.network)),
        json(files::open_output(options.json)) {}
};

/// Makes all texts before the first is written, because some fabrics are refused only then.
void write(const FabricReport& report, const FabricRoutes& routes, Outputs& outputs) {
  const Fabric& fabric = report.fabric;
  const FabricGrid* found = report.found ? &*report.found : nullptr;
  std::vector<std::pair<files::Output*, std::string>> texts;
  if (outputs.port_order) texts.emplace_back(&*outputs.port_order, port_order_text(fabric, *found));
  if (outputs.torus_2qos) texts.emplace_back(&*outputs.torus_2qos, torus_2qos_text(fabric, *found));
  if (outputs.network)
    texts.emplace_back(&*outputs.network, program::json_text(network_json(fabric, found, routes)));
  if (outputs.json) texts.emplace_back(&*outputs.json, program::json_text(fabric_json(report)));
  for (const auto& [output, text] : texts) output->write(text);
}

void run(const FabricOptions& options) {
  const auto streams = std::array{options.port_order, options.torus_2qos, options.network, options.json};
  const auto to_standard_output = std::ranges::count(streams, "-");
  if (to_standard_output > 1)
    throw std::invalid_argument("fabric: only one option can write to standard output");
  if (options.fabric == "-" && options.lfts == "-")
    throw std::invalid_argument("fabric: FABRIC and --lfts cannot both be standard input");
  Outputs outputs(options);
  FabricReport report{read_fabric(options.fabric, options.adapter), std::nullopt, "", {}};
  const FabricRoutes routes = program::shown_if_long("following the routes of the fabric", [&] {
    recognise(options, report);
    return add_reports(options, report);
  });
  write(report, routes, outputs);
  if (to_standard_output == 0) fmt::print("{}", fabric_text(report));
}

void add_file(CLI::App& command, const std::string& name, std::string& path, const std::string& help) {
  command.add_option(name, path, help)->type_name("FILE");
}

}  // namespace

void add_fabric(CLI::App& program) {
  auto* command = program.add_subcommand(
      "fabric", "Judges the routes of an InfiniBand fabric and writes files for OpenSM");
  const auto options = std::make_shared<FabricOptions>();
  command->add_option("FABRIC", options->fabric, "The output of ibnetdiscover; - is standard input")
      ->required();
  add_file(*command, "--lfts", options->lfts,
           "The forwarding tables of the switches: opensm-lfts.dump, or the output of dump_fts");
  command
      ->add_option("--adapter", options->adapter,
                   "Of hosts with adapters on several switches, as on several planes: this adapter,\n"
                   "as mlx5_0, or mlx5_0:1 for its port 1")
      ->type_name("ADAPTER");
  command->add_option("--grid", options->grid, "The usual name of the network, where rings of 4 are meant")
      ->check(program::read_by(parse_grid))
      ->type_name("GRID");
  add_file(*command, "--port-order", options->port_order, "Write the ports for opensm -R dor -O FILE");
  add_file(*command, "--torus-2qos", options->torus_2qos,
           "Write the configuration for opensm -Q -R torus-2QoS --torus_config FILE");
  add_file(*command, "--network", options->network,
           "Write the network with the routes of --lfts, or else with those of dor and the\n"
           "ports in order, for file:FILE");
  add_json(*command, options->json);
  command->footer(fabric_examples);
  command->callback([options] { run(*options); });
}

}  // namespace cubefold::planner
