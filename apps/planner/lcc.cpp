#include "planner/commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cubefold/embedding/placement_rule.hpp"
#include "cubefold/lcc/contention.hpp"
#include "cubefold/lcc/pattern.hpp"
#include "cubefold/topology/grid.hpp"
#include "files/output.hpp"
#include "planner/mapping/phases.hpp"
#include "planner/options.hpp"
#include "program/json.hpp"
#include "program/table.hpp"
#include "program/values.hpp"

namespace cubefold::planner {

namespace {

constexpr const char* lcc_examples = R"(Examples:
  cubefold lcc 8 --phase transpose
  cubefold lcc hypercube:8 --phase transpose:8x32 --phase bit-reversal --objective total
  cubefold lcc 8 --phase transpose --order 0-4-2-6-1-5-3-7
  cubefold lcc 8 --phase lcc:zoom.txt --json zoom.json

PATTERN is lcc:FILE or one of
  bit-reversal, reverse-flip, shuffle, unshuffle, exchange:I, complement,
  and on a matrix or image of ROWSxCOLUMNS ranks, as in transpose:8x32 (without a shape: the square),
  transpose, reflect-antidiagonal, rotate-clockwise, rotate-counterclockwise, rotate-180,
  reflect-left-right, reflect-top-bottom, zoom, bit-reversal-in-rows, bit-reversal-in-columns.
Line i of FILE is row i of A, as n characters 0 or 1; a blank and the bit b_i may follow. # begins a comment. FILE
describes y = A x + b, or x = A y + b if a line with the word scatter comes before the rows.

Without --order the program finds the best order, for a single phase of any size and for several of up to 20 bits. It
looks at orders of bits only: cubefold map, with the same phases, also looks at tables of nodes, which may be better for
several phases.

The row "all at once" has the messages of all phases together on the busiest link of every dimension. The row "added
up" is the sum of the rows above. It is larger if their busiest links are different links.

JSON: bits, phases, order, placement, searched, wider_search (the command), before, after (for every phase the messages
on the busiest link of every dimension), before_together, after_together (these values for all phases at once).)";

struct LccOptions {
  std::string cube;
  std::vector<std::string> phases;
  std::string order;
  std::optional<Objective> objective;
  std::string json;
};

using Table = std::vector<std::vector<std::uint64_t>>;

/// Holds the results that are printed or written as JSON.
struct Answer {
  Grid cube;
  std::vector<std::string> names;
  std::vector<Lcc> phases;
  std::vector<int> order;
  Table before;
  Table after;
  std::vector<std::uint64_t> before_together;
  std::vector<std::uint64_t> after_together;
  bool searches;

  std::string placement() const {
    return to_string(PlacementRule{{Embedding::standard}, BitAssignment::blocked, order});
  }

  std::string searched() const {
    return searches ? "all orders of bits" : "nothing, --order names the order";
  }

  /// Returns the command that also looks at other placements.
  std::string map_command() const {
    std::string command = "cubefold map " + to_string(cube);
    for (const auto& name : names) command += " --phase " + name;
    return command;
  }
};

Objective lcc_objective_named(const std::string& text) {
  constexpr std::array<std::pair<const char*, Objective>, 4> names{
      {{"worst", Objective::worst},
       {"together", Objective::together},
       {"dimension", Objective::busiest_dimension},
       {"total", Objective::total}}};
  return program::value_named("objective", text, names);
}

Grid cube_named(const std::string& text) {
  const bool is_number = text.find_first_not_of("0123456789") == std::string::npos;
  Grid cube = parse_grid(is_number ? "hypercube:" + text : text);
  cube.require_links_by_axes();
  const bool is_cube = std::ranges::all_of(cube.axes(), [](const Axis& axis) { return axis.extent == 2; });
  if (!is_cube || cube.axis_count() == 0) {
    throw std::invalid_argument(
        fmt::format("lcc: {} is no hypercube; contention follows e-cube routes, as on hypercube:8", text));
  }
  return cube;
}

std::vector<int> order_named(const std::string& text, const Grid& cube) {
  auto order = parse_placement("standard,order=" + text).order;
  if (order.size() == static_cast<std::size_t>(cube.axis_count())) return order;
  throw std::invalid_argument(
      fmt::format("--order: {} bits where {} has {}", order.size(), to_string(cube), cube.axis_count()));
}

std::vector<int> order_for(const LccOptions& options, const Grid& cube, const std::vector<Lcc>& phases) {
  if (!options.order.empty()) return order_named(options.order, cube);
  if (phases.size() == 1 && !options.objective) return optimal_order(phases.front());
  return optimal_order(phases, options.objective.value_or(Objective::worst));
}

Answer answer_to(const LccOptions& options) {
  Answer answer{cube_named(options.cube), options.phases, {}, {}, {}, {}, {}, {}, options.order.empty()};
  for (const auto& text : options.phases) answer.phases.push_back(lcc_named(text, answer.cube));
  answer.order = order_for(options, answer.cube, answer.phases);
  std::vector<Lcc> moved;
  for (const Lcc& lcc : answer.phases) {
    moved.push_back(reordered(lcc, answer.order));
    answer.before.push_back(contention(lcc));
    answer.after.push_back(contention(moved.back()));
  }
  answer.before_together = contention_together(answer.phases);
  answer.after_together = contention_together(moved);
  return answer;
}

nlohmann::ordered_json as_json(const Answer& answer) {
  return {{"bits", answer.cube.axis_count()},
          {"phases", answer.names},
          {"order", answer.order},
          {"placement", answer.placement()},
          {"searched", answer.searched()},
          {"wider_search", answer.map_command()},
          {"before", answer.before},
          {"after", answer.after},
          {"before_together", answer.before_together},
          {"after_together", answer.after_together}};
}

std::string kind_name(const Lcc& lcc) {
  switch (kind(lcc)) {
    case LccKind::permutation:
      return "permutation";
    case LccKind::gather:
      return "gather";
    case LccKind::scatter:
      break;
  }
  return "scatter";
}

/// Returns the contention of every dimension, added up over all phases. No link carries more if all phases run at once.
std::vector<std::uint64_t> added_up(const Table& table) {
  std::vector<std::uint64_t> sums(table.front().size());
  for (const auto& phase : table) {
    std::transform(phase.begin(), phase.end(), sums.begin(), sums.begin(), std::plus<>());
  }
  return sums;
}

program::Table empty_table(const Grid& cube) {
  std::vector<program::TableColumn> columns{{"", 6, true}, {"phase", 0, true}, {"kind", 0, true}};
  for (int i = 0; i < cube.axis_count(); ++i) columns.push_back({std::to_string(i), 5});
  columns.insert(columns.end(), {{"most", 6}, {"sum", 5}});
  return program::Table(std::move(columns), 2);
}

void add_row(program::Table& table, const std::string& when, const std::string& name, const std::string& kind,
             const std::vector<std::uint64_t>& row) {
  std::vector<std::string> cells{when, name, kind};
  for (const auto t : row) cells.push_back(std::to_string(t));
  cells.push_back(std::to_string(std::ranges::max(row)));
  cells.push_back(std::to_string(std::accumulate(row.begin(), row.end(), std::uint64_t{0})));
  table.add(std::move(cells));
}

void add_rows(program::Table& table, const std::string& when, const Answer& answer, const Table& values,
              const std::vector<std::uint64_t>& together) {
  for (std::size_t r = 0; r < values.size(); ++r)
    add_row(table, r == 0 ? when : "", answer.names[r], kind_name(answer.phases[r]), values[r]);
  if (values.size() < 2) return;
  add_row(table, "", "added up", "", added_up(values));
  add_row(table, "", "all at once", "", together);
}

/// Prints the contention of all phases, before and after the reordering.
void print(const Answer& answer) {
  fmt::print("{}: messages on the busiest link of every dimension, e-cube routes\n\n",
             to_string(answer.cube));
  program::Table table = empty_table(answer.cube);
  add_rows(table, "before", answer, answer.before, answer.before_together);
  add_rows(table, "after", answer, answer.after, answer.after_together);
  fmt::print("{}\nplacement: {}\nsearched: {}\nto search tables of nodes, too: {}\n", table.text(),
             answer.placement(), answer.searched(), answer.map_command());
}

void run(const LccOptions& options) {
  auto json = files::open_output(options.json);
  const Answer answer = answer_to(options);
  if (json) json->write(program::json_text(as_json(answer)));
  if (options.json != "-") print(answer);
}

}  // namespace

void add_lcc(CLI::App& program) {
  auto* command = program.add_subcommand(
      "lcc", "Finds the best order of bits for transposes, bit reversals and similar patterns");
  const auto options = std::make_shared<LccOptions>();
  command->add_option("CUBE", options->cube, "Address bits: 8 or hypercube:8")->required();
  command->add_option("--phase", options->phases, "Communication of the program; may be given again")
      ->type_name("PATTERN")
      ->required()
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  auto* order = command->add_option("--order", options->order,
                                    "Evaluate this order: 0-4-2-6-1-5-3-7 (new bit k = old bit order[k])");
  order->type_name("ORDER");
  program::add_parsed(*command, "--objective", options->objective, lcc_objective_named,
                      "Value to minimise: worst, the largest contention of any phase; together, the\n"
                      "busiest link with all phases at once; dimension, the largest sum of the phases\n"
                      "in one dimension; or total, the sum of all. Default: worst")
      ->type_name("OBJECTIVE")
      ->excludes(order);
  add_json(*command, options->json);
  command->footer(lcc_examples);
  command->callback([options] { run(*options); });
}

}  // namespace cubefold::planner
