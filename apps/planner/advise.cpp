#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "files/output.hpp"
#include "planner/advice/advice.hpp"
#include "planner/advice/tofu_advice.hpp"
#include "planner/advice/transform_advice.hpp"
#include "planner/advice/vector_advice.hpp"
#include "planner/commands.hpp"
#include "planner/options.hpp"
#include "planner/planning/exchange_groups.hpp"
#include "planner/planning/switched_network.hpp"
#include "program/json.hpp"
#include "program/program.hpp"
#include "program/progress.hpp"
#include "program/values.hpp"

namespace cubefold::planner {

namespace {

/// The time grows as the square of the ranks: this number takes some seconds.
constexpr std::size_t most_advised_ranks = 16384;

constexpr const char* advise_examples = R"(Examples:
  cubefold advise torus:8x8x8 --rate 100gbit --latency 1.5us
  cubefold advise torus:4x4x4 --rate 200gbit --latency 1us --ports all --per-node 4 --svg times.svg
  cubefold advise torus:16x32 --phase alltoall:rows=16x32 --rate 100gbit --latency 1us
  cubefold advise hypercube:10 --rate 400gbit --latency 1us --block 1KiB,64KiB --json advice.json
  cubefold advise torus:8x8x8 --fft 1024x1024x1024 --rate 100gbit
  cubefold advise torus:8x8 --collective allreduce --ports all
  cubefold advise tofu:4x4x2

The algorithms of MPI are pairwise (Open MPI; MPICH if the number of ranks is no power of two), pairwise-xor (MPICH),
bruck (both), scattered (MPICH) and linear (Open MPI), with rank r on node r / K. The column of cubefold is the choice
of `cubefold plan exchange`. A step takes the gap for each message and the time of its busiest link or port. JSON: grid,
nodes, per_node, queues, groups (phase, network, count, ranks, grid, per_node, sharing), ports, tie,
rate_bits_per_second, latency_seconds, gap_seconds, barrier_seconds, alpha, tau, verdict, measured_over_predicted
(algorithm, least, most), rows (block_bytes, mpi, cubefold, bound_seconds, winner, gain, least_gain, most_gain).

Of tofu:4x4x2, with links of 54.4 Gbit/s and a latency of 2.4 us if nothing else is said, it also tells what
measurements of Fujitsu's own all-to-all lead to. JSON: fujitsu_default (block_bytes, least_seconds, most_seconds,
cubefold_seconds).

With --fft, the local work of a transform is its operations over --gflops, and its exchanges are predicted as those of
cubefold-fft are. JSON: lengths, kind, transposed_output, flops_per_second, rows (way, messages, sent_bytes,
local_seconds, exchange_seconds, least_exchange_seconds, most_exchange_seconds, bound_seconds).

With --collective, the times are those of plan allreduce and its kin. JSON: grid, per_node, collective,
ports, rate_bits_per_second, latency_seconds, gap_seconds, barrier_seconds, alpha, tau, verdict, rows (vector_bytes,
mpi_seconds, method, cubefold_seconds, bound_seconds, gain).

Unless --queues says otherwise, the network loses nothing, and times are those of exchanges by data in routers of three
kinds: messages take the CPU of a node, copies the memory, bytes the links, and packets wait for each other at the
heads of queues.)";

struct AdviseOptions {
  std::string grid;
  program::NetworkTimes times;
  NetworkRules rules;
  Queues queues = Queues::lossless;
  std::size_t per_node = 1;
  std::string phase = "alltoall";
  std::vector<std::size_t> block_sizes{16, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20};
  std::vector<std::size_t> lengths;  ///< of a transform; empty for exchanges
  bool is_real = false;
  bool is_transposed = false;
  double gflops = 6;
  std::optional<VectorCollective> collective;  ///< empty for exchanges
  std::vector<std::size_t> vector_sizes{1 << 10, 8 << 10, 64 << 10, 512 << 10, 1 << 20, 4 << 20, 16 << 20};
  std::string json;
  std::string svg;
};

void require_countable(const AdviseOptions& options, const Grid& grid) {
  if (grid.node_count() <= most_advised_ranks / options.per_node) return;
  throw std::invalid_argument(fmt::format("advise: {} with {} ranks on a node has {} ranks; the most is {}",
                                          options.grid, options.per_node,
                                          grid.node_count() * options.per_node, most_advised_ranks));
}

AdviceQuestion question_of(const AdviseOptions& options) {
  const Grid grid = parse_grid(options.grid);
  require_countable(options, grid);
  if (const auto rates = options.times.tau_seconds_per_byte.size(); rates != 1)
    throw std::invalid_argument(fmt::format("advise: {} rates; it takes one for all links", rates));
  return {exchange_groups(options.phase, grid, options.per_node, options.rules.tie),
          program::model_of(options.times, options.rules, options.queues), options.block_sizes};
}

/// Throws std::invalid_argument if times may be 0, which a logarithmic scale does not have.
void require_times(const AdviceQuestion& question) {
  if (question.groups.grid.node_count() > 1 && std::ranges::min(question.block_sizes) > 0) return;
  throw std::invalid_argument("advise: --svg needs several nodes, and blocks of at least 1 byte");
}

/// Answers for a network of which nothing is to be predicted.
void say(const std::string& verdict, const AdviseOptions& options) {
  if (!options.svg.empty())
    throw std::invalid_argument(fmt::format("advise: --svg: there are no times of {}", options.grid));
  auto json = files::open_output(options.json);
  if (json) {
    json->write(program::json_text(
        {{"grid", options.grid}, {"verdict", verdict}, {"rows", nlohmann::ordered_json::array()}}));
  }
  if (options.json != "-") fmt::print("{}\n", verdict);
}

TransformQuestion transform_question_of(const AdviseOptions& options) {
  const Grid grid = parse_grid(options.grid);
  require_countable(options, grid);
  const ExchangeModel model = program::model_of(options.times, options.rules, options.queues);
  TransformQuestion question{options.lengths, {}, Machine{grid}, options.gflops * 1e9};
  question.options.kind = options.is_real ? fft::Kind::real : fft::Kind::complex;
  question.options.transposed_output = options.is_transposed;
  Machine& machine = question.machine;
  machine.alpha_seconds = model.alpha_seconds;
  machine.gap_seconds = model.gap_seconds;
  machine.tau_seconds_per_byte = model.tau_seconds_per_byte;
  machine.ports = model.network.ports;
  machine.queues = model.queues;
  for (int axis = 0; axis < grid.axis_count(); ++axis) machine.wraps.push_back(grid.has_wrap_link(axis));
  machine.host_count = grid.node_count();
  return question;
}

void run_for_transform(const AdviseOptions& options) {
  auto json = files::open_output(options.json);
  const TransformAdvice advice = program::shown_if_long(
      "predicting times of a transform", [&] { return advise_transform(transform_question_of(options)); });
  if (json) json->write(program::json_text(transform_advice_json(advice)));
  if (options.json != "-") fmt::print("{}", transform_advice_text(advice));
}

void run_for_vectors(const AdviseOptions& options) {
  const Grid grid = parse_grid(options.grid);
  require_countable(options, grid);
  auto json = files::open_output(options.json);
  const ExchangeModel model = program::model_of(options.times, options.rules, options.queues);
  const VectorAdvice advice = program::shown_if_long("predicting times of vectors", [&] {
    return advise_vectors({*options.collective, NodeSharing(Placement(grid, {}), options.per_node), model,
                           options.vector_sizes});
  });
  if (json) json->write(program::json_text(vector_advice_json(advice)));
  if (options.json != "-") fmt::print("{}", vector_advice_text(advice));
}

void run(const AdviseOptions& options) {
  if (options.json == "-" && options.svg == "-")
    throw std::invalid_argument("advise: --json and --svg cannot both write to standard output");
  if (const auto verdict = nothing_to_gain(options.grid)) return say(*verdict, options);
  if (!options.lengths.empty()) return run_for_transform(options);
  if (options.collective) return run_for_vectors(options);
  const AdviceQuestion question = question_of(options);
  if (!options.svg.empty()) require_times(question);
  auto json = files::open_output(options.json);
  auto svg = files::open_output(options.svg);
  const Advice advice =
      program::shown_if_long("predicting times of exchanges", [&] { return advise(question); });
  auto members = advice_json(advice);
  if (is_tofu(options.grid)) members["fujitsu_default"] = tofu_json(advice);
  if (json) json->write(program::json_text(members));
  if (svg) svg->write(advice_svg(advice));
  if (options.json == "-" || options.svg == "-") return;
  fmt::print("{}{}", advice_text(advice), is_tofu(options.grid) ? tofu_text(advice) : "");
}

/// Takes the times of Fujitsu's network where the user has said none.
void take_times_of_tofu(AdviseOptions& options, const CLI::App& command) {
  const program::NetworkTimes tofu = times_of_tofu();
  if (command.count("--rate") + command.count("--tau") == 0)
    options.times.tau_seconds_per_byte = tofu.tau_seconds_per_byte;
  if (command.count("--latency") + command.count("--alpha") == 0)
    options.times.alpha_seconds = tofu.alpha_seconds;
}

void add_network(CLI::App& command, AdviseOptions& options) {
  add_links(command, options.times);
  add_gap(command, options.times);
  add_ports(command, options.rules.ports);
  add_tie(command, options.rules.tie);
  add_queues(command, options.queues);
}

std::optional<VectorCollective> vector_collective_named(const std::string& name) {
  for (const VectorCollective each : all_vector_collectives)
    if (to_string(each) == name) return each;
  throw std::invalid_argument(
      fmt::format("unknown collective '{}'; known: allreduce, reduce-scatter, allgather", name));
}

/// Adds the options of vectors, and returns the first of them. Those that only exchanges have are excluded.
CLI::Option* add_vectors(CLI::App& command, AdviseOptions& options,
                         const std::vector<CLI::Option*>& of_exchanges) {
  auto* collective = program::add_parsed(command, "--collective", options.collective, vector_collective_named,
                                         "Predict allreduce, reduce-scatter or allgather")
                         ->type_name("NAME");
  for (CLI::Option* option : of_exchanges) collective->excludes(option);
  command
      .add_option("--size", options.vector_sizes,
                  "Bytes of the whole vector, separated by commas; KiB and MiB may follow.\n"
                  "Default: seven sizes from 1 KiB to 16 MiB")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->transform(program::size_in_bytes())
      ->type_name("BYTES")
      ->needs(collective);
  return collective;
}

/// Adds the options of transforms. Those that only exchanges have are excluded.
void add_transform(CLI::App& command, AdviseOptions& options, const std::vector<CLI::Option*>& of_exchanges) {
  auto* lengths =
      program::add_parsed(command, "--fft", options.lengths, program::parse_lengths,
                          "Predict a transform of an array with these lengths, as 1024x1024x1024, with\n"
                          "one rank on each node")
          ->type_name("LENGTHS");
  for (CLI::Option* option : of_exchanges) lengths->excludes(option);
  command.add_flag("--real", options.is_real, "Transform real numbers")->needs(lengths);
  command.add_flag("--transposed", options.is_transposed, "Leave the output in transposed order")
      ->needs(lengths);
  command
      .add_option("--gflops", options.gflops,
                  "Rate of the local transforms of a rank in Gflop/s, at 5 n log2 n operations")
      ->check(program::number(1e-9))
      ->type_name("RATE")
      ->capture_default_str()
      ->needs(lengths);
}

}  // namespace

void add_advise(CLI::App& program) {
  auto* command = program.add_subcommand(
      "advise", "Predicts how much faster than MPI's an all-to-all can be on a network");
  const auto options = std::make_shared<AdviseOptions>();
  add_grid_or_switched(*command, options->grid);
  add_network(*command, *options);
  auto* per_node = add_per_node(*command, options->per_node, most_advised_ranks);
  auto* phase = add_exchange_phase(*command, options->phase);
  auto* block =
      command
          ->add_option(
              "--block", options->block_sizes,
              "Bytes that each rank sends each other rank, separated by commas; KiB and MiB\nmay follow. "
              "Default: eight sizes from 16 bytes to 1 MiB")
          ->delimiter(',')
          ->allow_extra_args(false)
          ->transform(program::size_in_bytes())
          ->type_name("BYTES");
  add_json(*command, options->json);
  auto* svg =
      command->add_option("--svg", options->svg, "Draw the times over block sizes; - is standard output")
          ->type_name("FILE");
  auto* collective = add_vectors(*command, *options, {phase, block, svg});
  add_transform(*command, *options, {per_node, phase, block, svg, collective});
  command->footer(advise_examples);
  command->callback([options, command] {
    if (is_tofu(options->grid)) take_times_of_tofu(*options, *command);
    run(*options);
  });
}

}  // namespace cubefold::planner
