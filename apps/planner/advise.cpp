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

The algorithms of MPI are pairwise (Open MPI; MPICH if the number of ranks is no power of two), pairwise-xor (MPICH),
bruck (both), scattered (MPICH) and linear (Open MPI), with rank r on node r / K. The column of cubefold is the choice
of `cubefold plan exchange`. A step takes the gap for each message and the time of its busiest link or port. JSON: grid,
nodes, per_node, queues, groups (phase, network, count, ranks, grid, per_node, sharing), ports, tie,
rate_bits_per_second, latency_seconds, gap_seconds, barrier_seconds, alpha, tau, verdict, measured_over_predicted
(algorithm, least, most), rows (block_bytes, mpi, cubefold, bound_seconds, winner, gain, least_gain, most_gain).

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

void run(const AdviseOptions& options) {
  if (options.json == "-" && options.svg == "-")
    throw std::invalid_argument("advise: --json and --svg cannot both write to standard output");
  if (const auto verdict = nothing_to_gain(options.grid)) return say(*verdict, options);
  const AdviceQuestion question = question_of(options);
  if (!options.svg.empty()) require_times(question);
  auto json = files::open_output(options.json);
  auto svg = files::open_output(options.svg);
  const Advice advice =
      program::shown_if_long("predicting times of exchanges", [&] { return advise(question); });
  if (json) json->write(program::json_text(advice_json(advice)));
  if (svg) svg->write(advice_svg(advice));
  if (options.json != "-" && options.svg != "-") fmt::print("{}", advice_text(advice));
}

void add_network(CLI::App& command, AdviseOptions& options) {
  add_links(command, options.times);
  add_gap(command, options.times);
  add_ports(command, options.rules.ports);
  add_tie(command, options.rules.tie);
  add_queues(command, options.queues);
  command.add_option("--per-node", options.per_node, "Ranks on each node")
      ->transform(program::whole_number(1, most_advised_ranks))
      ->type_name("K")
      ->capture_default_str();
  add_exchange_phase(command, options.phase);
}

}  // namespace

void add_advise(CLI::App& program) {
  auto* command = program.add_subcommand(
      "advise", "Predicts how much faster than MPI's an all-to-all can be on a network");
  const auto options = std::make_shared<AdviseOptions>();
  add_grid_or_switched(*command, options->grid);
  add_network(*command, *options);
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
  command->add_option("--svg", options->svg, "Draw the times over block sizes; - is standard output")
      ->type_name("FILE");
  command->footer(advise_examples);
  command->callback([options] { run(*options); });
}

}  // namespace cubefold::planner
