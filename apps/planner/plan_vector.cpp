#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cubefold/embedding/node_sharing.hpp"
#include "cubefold/plan/mapping.hpp"
#include "files/output.hpp"
#include "plan/vector_plan.hpp"
#include "planner/commands.hpp"
#include "planner/options.hpp"
#include "planner/planning/placed_plan.hpp"
#include "program/json.hpp"
#include "program/network_times.hpp"
#include "program/program.hpp"
#include "program/progress.hpp"
#include "program/table.hpp"
#include "program/values.hpp"

namespace cubefold::planner {

namespace {

constexpr const char* vector_examples = R"(Examples:
  cubefold plan allreduce torus:8x8 --size 1MiB --ports all
  cubefold plan allreduce ring:16 --size 64KiB --algorithm bucket,halving-swing
  cubefold plan reduce-scatter torus:4x4x4 --size 1MiB --ports all --table -
  cubefold plan allreduce torus:4x4 --size 1MiB --ports all --per-node 4
  cubefold plan allreduce torus:4x6 --size 64KiB --machine cluster.json
  cubefold plan allreduce torus:8x8 --size 1MiB --ports all --json sum.json && cubefold verify sum.json
  cubefold plan allgather ring:8 --size 64KiB --json ring.json && cubefold draw ring.json --html ring.html

The algorithms are bucket (round one axis after the other), direct (straight to all nodes of a line, one axis after the
other, where all are linked), halving-cube and halving-swing (halves with a partner), and for allreduce whole-cube and
whole-swing (the whole vector with a partner). :N is the number of channels: parts of the vector that run at once, each
with another first axis and direction. Compared only if they are named are whole-swing, which reduces in another order
on every rank, and halving-ordered and whole-ordered, which keep the order of the ranks for operations that do not
commute. The columns are steps, what the busiest link or port carries in all steps, over the bytes of the vector, the
time, and its ratio to the lower bound. Where ranks share nodes, they reduce and gather on the node in separate steps,
each rank for the channels that it carries. The schedule of --json is that of plan exchange, for one rank on each node,
with collective, chunks (their number), and messages with "chunks": [number, ...] in place of blocks, and "reduces":
true. The table of --table has grid, placement, per_node, ports, collective, vector_bytes, rate_bits_per_second,
latency_seconds, gap_seconds, barrier_seconds, alpha, tau, bound (vectors, startups, seconds), choice, candidates
(method, steps, node_steps, vectors, seconds).)";

constexpr std::size_t most_per_node = 1024;

struct VectorOptions {
  std::string grid;
  std::string placement = "identity";
  std::size_t per_node = 1;
  std::size_t size = 0;
  std::vector<VectorMethod> methods;
  ModelOptions model;
  std::string json;
  std::string table;
};

VectorPlan vector_plan_of(VectorCollective collective, const Placement& placement,
                          const VectorOptions& options) {
  return plan_vector(collective, NodeSharing(placement, options.per_node), options.size,
                     model_of(options.model, placement.grid()), options.methods);
}

/// Returns the schedule of the choice as schedule_json() writes it, and whether it has conflicts. Throws
/// std::invalid_argument if it has more than 10^7 chunks in its messages.
WrittenSchedule choice_schedule(const VectorPlan& plan, const Placement& placement) {
  const VectorCandidate& choice = plan.choice();
  require_writable(to_string(choice.method), placement, choice.cost.sent_blocks);
  const Collective collective = collective_of(plan.collective, choice.method, placement.rank_count());
  return written_schedule(
      {placement,
       plan.model.network.ports,
       plan.model.network.tie,
       to_string(choice.method),
       {plan.bound.vectors * static_cast<double>(collective.chunk_count()), plan.bound.startups},
       vector_parts(plan.collective, choice.method, placement).whole(),
       collective});
}

double ratio(const VectorCandidate& candidate, const VectorPlan& plan) {
  const double bound = plan.bound_seconds();
  return bound > 0 ? candidate.seconds / bound : 1;
}

std::string text_of(const VectorPlan& plan, const VectorOptions& options) {
  program::Table table(
      {{"method", 20, true}, {"steps", 8}, {"busiest", 10}, {"time in us", 14}, {"time/bound", 12}});
  for (const VectorCandidate& each : plan.candidates) {
    table.add({to_string(each.method), std::to_string(each.step_count()), fmt::format("{:.4g}", each.vectors),
               fmt::format("{:.5g}", each.seconds * 1e6), fmt::format("{:.3f}", ratio(each, plan))});
  }
  return fmt::format(
      "{} of {} on {}{}, placement {}, {}-port\n{}\n\n{}\n{}: {}\npredicted {:.4g} us; none takes less than "
      "{:.4g} us\n",
      to_string(plan.collective), program::size_text(plan.vector_bytes), options.grid,
      options.per_node > 1 ? fmt::format(" with {} ranks on each node", options.per_node) : "",
      options.placement, to_string(plan.model.network.ports), to_string(program::times_of(plan.model)),
      table.text(), to_string(plan.choice().method), description(plan.choice().method),
      plan.choice().seconds * 1e6, plan.bound_seconds() * 1e6);
}

nlohmann::ordered_json table_of(const VectorPlan& plan, const VectorOptions& options) {
  nlohmann::ordered_json json{{"grid", to_string(parse_grid(options.grid))},
                              {"placement", options.placement},
                              {"per_node", options.per_node},
                              {"ports", to_string(plan.model.network.ports)},
                              {"collective", to_string(plan.collective)},
                              {"vector_bytes", plan.vector_bytes}};
  json.update(as_json(program::times_of(plan.model)));
  json["bound"] = {
      {"vectors", plan.bound.vectors}, {"startups", plan.bound.startups}, {"seconds", plan.bound_seconds()}};
  json["choice"] = to_string(plan.choice().method);
  auto& candidates = json["candidates"] = nlohmann::ordered_json::array();
  for (const VectorCandidate& each : plan.candidates) {
    candidates.push_back({{"method", to_string(each.method)},
                          {"steps", each.step_count()},
                          {"node_steps", each.on_node.step_count},
                          {"vectors", each.vectors},
                          {"seconds", each.seconds}});
  }
  return json;
}

void run(VectorCollective collective, const VectorOptions& options) {
  if (options.json == "-" && options.table == "-")
    throw std::invalid_argument("plan: --json and --table cannot both write to standard output");
  if (!options.json.empty() && options.per_node > 1)
    throw std::invalid_argument("plan: --json writes schedules of one rank on each node, without --per-node");
  auto json = files::open_output(options.json);
  auto table = files::open_output(options.table);
  const Placement placement = place(parse_grid(options.grid), options.placement);
  const VectorPlan plan = program::shown_if_long(
      "comparing methods", [&] { return vector_plan_of(collective, placement, options); });
  std::optional<WrittenSchedule> schedule;
  if (json) schedule = choice_schedule(plan, placement);
  if (json) json->write(schedule->text);
  if (table) table->write(program::json_text(table_of(plan, options)));
  if (options.json == "-" || options.table == "-") return;
  fmt::print("{}", text_of(plan, options));
  if (schedule && schedule->has_conflicts) fmt::print("{}", conflicts_text(options.json));
}

std::vector<VectorMethod> vector_methods_named(const std::vector<std::string>& names) {
  std::vector<VectorMethod> methods;
  methods.reserve(names.size());
  for (const std::string& name : names) methods.push_back(parse_vector_method(name));
  return methods;
}

void add_vector_model(CLI::App& command, ModelOptions& options) {
  auto values = add_links(command, options.times);
  values.push_back(add_gap(command, options.times));
  values.push_back(add_ports(command, options.rules.ports));
  add_machine(command, options.machine, values);
}

}  // namespace

void add_plan_of_vectors(CLI::App& plan) {
  for (const VectorCollective collective : all_vector_collectives) {
    const std::string name(to_string(collective));
    auto* command = plan.add_subcommand(name, fmt::format("Compares methods of {}", name));
    const auto options = std::make_shared<VectorOptions>();
    add_grid(*command, options->grid);
    add_placement(*command, options->placement);
    add_per_node(*command, options->per_node, most_per_node);
    add_vector_size(*command, options->size);
    program::add_parsed<std::vector<std::string>>(
        *command, "--algorithm", options->methods, vector_methods_named,
        "Compare these methods only, separated by commas, as bucket:4 or halving-swing")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("NAME");
    add_vector_model(*command, options->model);
    add_schedule_files(*command, options->json, options->table);
    command->footer(vector_examples);
    command->callback([options, collective] { run(collective, *options); });
  }
}

}  // namespace cubefold::planner
