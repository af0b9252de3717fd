#include "planner/commands.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cubefold/simulation/machine.hpp"
#include "files/output.hpp"
#include "planner/options.hpp"
#include "planner/planning/exchange_groups.hpp"
#include "planner/planning/flow_bound.hpp"
#include "planner/planning/placed_plan.hpp"
#include "planner/planning/switched_network.hpp"
#include "program/json.hpp"
#include "program/program.hpp"
#include "program/progress.hpp"
#include "program/values.hpp"

namespace cubefold::planner {

namespace {

constexpr const char* plan_examples = R"(Examples:
  cubefold plan exchange mesh:8x8 --block 8KiB --rate 2gbit --latency 20us
  cubefold plan exchange torus:4x6 --block 64 --machine cluster.json
  cubefold plan exchange mesh:8x8 --block 1KiB --algorithm direct,axis-rotated,hybrid:4 --ports all
  cubefold plan exchange torus:4x4,cut=0-1 --block 64KiB --ports all --bound lp
  cubefold plan exchange torus:16x32 --phase alltoall:rows=16x32 --block 1KiB
  cubefold plan exchange torus:8x8 --block 1KiB --json schedule.json && cubefold verify schedule.json

The columns are steps, start-ups of all steps, blocks that a node sends on average, time, and its ratio to the lower
bound. A step of messages of L bytes takes gap + L tau. If steps need not wait for each other, the first of them takes
alpha + L tau. cubefold-calibrate measures the constants of a machine. The schedule of --json has has_conflicts (whether
messages of a step share ports or links), grid, ports, tie, placement, algorithm, bound (blocks, startups) and steps,
which are arrays of {"from", "to", "blocks": [[source, destination], ...]}; all numbers are nodes. The table of --table
has grid, placement, ports, tie, block_bytes, rate_bits_per_second, latency_seconds, gap_seconds, barrier_seconds,
alpha, tau, bound_seconds, choice, why, candidates (method, steps, startups, sent_blocks, block_times of the busiest
link or port, seconds, ratio, sync, oversubscribes) and groups (phase, network, count, ranks, grid, per_node,
sharing).)";

struct PlanOptions {
  std::string grid;
  std::string phase = "alltoall";
  std::string placement;
  ExchangePlanOptions algorithms;
  std::size_t block_bytes = 0;
  ModelOptions model;
  std::string bound = "cuts";
  std::string json;
  std::string table;
};

ExchangePlanOptions methods_named(const std::vector<std::string>& names) {
  ExchangePlanOptions asked;
  for (const auto& name : names) {
    if (name == "all") {
      asked.compares_all = true;
    } else {
      asked.methods.push_back(parse_exchange_method(name));
    }
  }
  return asked;
}

/// A plan for the nodes of one of some groups.
struct GroupPlan {
  ExchangeGroups groups;
  PlacedPlan placed;
};

/// Replaces the part of the lower bound that comes from links by the flow optimum.
void take_flow_bound(ExchangePlan& plan) {
  const ExchangeModel& model = plan.model;
  const StepModel links{.tau_seconds_per_byte = model.tau_seconds_per_byte, .ports = model.network.ports};
  plan.bound.link_seconds = flow_seconds_per_byte(plan.grid, links) * static_cast<double>(plan.block_bytes);
}

GroupPlan plan_of(const PlanOptions& options) {
  const Grid network = parse_grid(options.grid);
  const ExchangeModel model = model_of(options.model, network);
  ExchangeGroups groups = exchange_groups(options.phase, network, 1, model.network.tie);
  PlacedPlan placed =
      placed_plan({groups.grid, options.placement, options.block_bytes, model, options.algorithms});
  if (options.bound == "lp") take_flow_bound(placed.plan);
  return {std::move(groups), std::move(placed)};
}

nlohmann::ordered_json table_of(const GroupPlan& plan) {
  nlohmann::ordered_json json = candidates_json(plan.placed);
  json["groups"] = groups_json(plan.groups);
  return json;
}

/// Returns whether the plan is printed as text. It is not printed if JSON or the table goes to standard output.
bool prints_text(const PlanOptions& options) {
  return options.json != "-" && options.table != "-";
}

/// Answers for a network that has no schedule.
void say(const std::string& verdict, const PlanOptions& options) {
  if (options.json.empty() && options.table.empty()) return fmt::print("{}\n", verdict);
  throw std::invalid_argument(fmt::format("plan: --{}: there is no schedule for {}",
                                          options.json.empty() ? "table" : "json", options.grid));
}

void run(const PlanOptions& options) {
  if (options.json == "-" && options.table == "-")
    throw std::invalid_argument("plan: --json and --table cannot both write to standard output");
  if (const auto verdict = nothing_to_gain(options.grid)) return say(*verdict, options);
  auto json = files::open_output(options.json);
  auto table = files::open_output(options.table);
  const GroupPlan plan = program::shown_if_long("comparing exchanges", [&] { return plan_of(options); });
  std::optional<WrittenSchedule> schedule;
  if (json) schedule = choice_schedule(plan.placed);
  if (json) json->write(schedule->text);
  if (table) table->write(program::json_text(table_of(plan)));
  if (!prints_text(options)) return;
  if (options.phase != "alltoall") fmt::print("{}", groups_text(plan.groups));
  fmt::print("{}", plan_text(plan.placed));
  if (schedule && schedule->has_conflicts) fmt::print("{}", conflicts_text(options.json));
}

/// Adds the options for the constants of the model, and the option for a machine file with these constants.
void add_model(CLI::App& command, ModelOptions& options) {
  auto values = add_links(command, options.times);
  values.push_back(add_gap(command, options.times));
  values.push_back(add_barrier(command, options.times));
  values.push_back(add_ports(command, options.rules.ports));
  values.push_back(add_queues(command, options.queues));
  add_machine(command, options.machine, values)->excludes(command.get_option("--phase"));
}

void add_planned_exchange(CLI::App& plan) {
  auto* command = plan.add_subcommand("exchange", "Compares methods of the complete exchange");
  const auto options = std::make_shared<PlanOptions>();
  add_grid_or_switched(*command, options->grid);
  add_exchange_phase(*command, options->phase);
  command
      ->add_option("--placement", options->placement,
                   fmt::format("{};\nwithout it the best of some is named", program::placement_help()))
      ->check(program::read_by(program::check_placement))
      ->type_name("RULE");
  program::add_parsed<std::vector<std::string>>(
      *command, "--algorithm", options->algorithms, methods_named,
      "Compare these methods only, separated by commas: all (every one that fits\n"
      "the grid; by default, those of the papers that were never the fastest are\n"
      "left out), or\n" +
          program::algorithm_help())
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAME");
  add_block(*command, options->block_bytes);
  add_model(*command, options->model);
  add_tie(*command, options->model.rules.tie);
  command
      ->add_option("--bound", options->bound,
                   "Lower bound of the links: cuts (quick), or lp (the flow optimum by\n"
                   "linear programming; needs python3-scipy, and minutes where 64 nodes or\n"
                   "more are not symmetric)")
      ->check(CLI::IsMember({"cuts", "lp"}))
      ->default_str("cuts")
      ->type_name("HOW");
  add_schedule_files(*command, options->json, options->table);
  command->footer(plan_examples);
  command->callback([options] { run(*options); });
}

}  // namespace

void add_plan(CLI::App& program) {
  auto* command = program.add_subcommand("plan", "Compares methods of a collective");
  command->require_subcommand(1);
  command->footer(plan_examples);
  add_planned_exchange(*command);
  add_plan_of_vectors(*command);
  add_plan_of_neighbours(*command);
}

}  // namespace cubefold::planner
