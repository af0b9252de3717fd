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
nodes, per_node, groups (phase, network, count, ranks, grid, per_node, sharing), ports, tie, rate_bits_per_second,
latency_seconds, gap_seconds, verdict, measured_over_predicted (algorithm, least, most), rows (block_bytes, mpi,
cubefold, bound_seconds, winner, gain).)";

/// Names a unit at the end of a number and how much it is.
using Unit = std::pair<std::string_view, double>;
constexpr std::array<Unit, 4> rate_units{{{"gbit", 1e9}, {"mbit", 1e6}, {"kbit", 1e3}, {"bit", 1}}};
constexpr std::array<Unit, 4> time_units{{{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}}};

/// Returns the amount that a text names by a number and one of the units, or nothing.
template <typename Units>
std::optional<double> quantity(const std::string& text, const Units& units) {
  for (const auto& [name, size] : units) {
    if (!text.ends_with(name)) continue;
    const std::string number = text.substr(0, text.size() - name.size());
    std::size_t end = 0;
    try {
      const double value = std::stod(number, &end) * size;
      if (end == number.size() && std::isfinite(value)) return value;
    } catch (const std::logic_error&) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

double parse_rate(const std::string& text) {
  const auto rate = quantity(text, rate_units);
  if (rate && *rate > 0) return *rate;
  throw std::invalid_argument(fmt::format("'{}' is not a rate above 0 such as 200gbit or 800mbit", text));
}

double parse_time(const std::string& text) {
  const auto seconds = quantity(text, time_units);
  if (seconds && *seconds >= 0) return *seconds;
  throw std::invalid_argument(fmt::format("'{}' is not a time from 0 up such as 1.5us or 800ns", text));
}

struct AdviseOptions {
  std::string grid;
  double bits_per_second = 100e9;
  double latency_seconds = 1.5e-6;
  std::optional<double> gap_seconds;  ///< empty: equal to the latency
  Ports ports = Ports::one;
  Tie tie = Tie::balanced;
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
  constexpr double bits_per_byte = 8;
  const Grid grid = parse_grid(options.grid);
  require_countable(options, grid);
  const ExchangeModel model{options.latency_seconds,
                            options.gap_seconds.value_or(options.latency_seconds),
                            {bits_per_byte / options.bits_per_second},
                            0,
                            {options.ports, options.tie}};
  return {exchange_groups(options.phase, grid, options.per_node, options.tie), options.bits_per_second, model,
          options.block_sizes};
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
  if (json)
    json->write(program::json_text(
        {{"grid", options.grid}, {"verdict", verdict}, {"rows", nlohmann::ordered_json::array()}}));
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
  program::add_parsed(command, "--rate", options.bits_per_second, parse_rate,
                      "Bits per second of each link in each direction, as 200gbit or 800mbit")
      ->type_name("RATE")
      ->default_str("100gbit");
  program::add_parsed(command, "--latency", options.latency_seconds, parse_time,
                      "Time of a message without bytes, as 1.5us or 800ns")
      ->type_name("TIME")
      ->default_str("1.5us");
  program::add_parsed(command, "--gap", options.gap_seconds, parse_time,
                      "Time of each further message of a process (LogGP g). Default: the latency")
      ->type_name("TIME");
  add_ports(command, options.ports);
  add_tie(command, options.tie);
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
