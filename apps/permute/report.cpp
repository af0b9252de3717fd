#include "permute/report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "cubefold/version.h"
#include "program/mpi_program.hpp"
#include "program/program.hpp"
#include "timing/link_bytes.hpp"

using cubefold::program::counted;
using cubefold::timing::Times;

namespace {

std::string name_of(const Round& round) {
  return round.alone ? round.pattern + ", alone" : round.pattern;
}

/// Returns the width of a column that holds this heading and text_of() of every round.
template <typename TextOf>
std::size_t width(const Report& report, const std::string& heading, TextOf text_of) {
  std::size_t longest = heading.size();
  for (const PlacedRound& placed : report.rounds) longest = std::max(longest, text_of(placed.round).size());
  return longest;
}

}  // namespace

void print_table(const Report& report) {
  const std::string grid = to_string(report.grid);
  fmt::print("cubefold-permute {}: {} on {}\n", CUBEFOLD_VERSION,
             counted(report.grid.node_count(), "process"),
             report.knows_network ? grid : "an unknown network; loads and hops are those of " + grid);
  fmt::print(
      "times of the slowest process in ms over {} in random order; load = messages on the busiest link\n\n",
      counted(static_cast<std::size_t>(report.options.repetitions), "repetition"));
  const auto pattern_width = width(report, "pattern", name_of);
  const auto placement_width = width(report, "placement", [](const Round& round) { return round.placement; });
  fmt::print("{:<{}}  {:<{}}{:>10}{:>6}{:>6}{:>11}{:>11}{:>11}\n", "pattern", pattern_width, "placement",
             placement_width, "block", "load", "hops", "median", "min", "max");
  for (std::size_t i = 0; i < report.cases.size(); ++i) {
    const Round& round = report.rounds[report.cases[i].round].round;
    const Times& times = report.measured.times[i];
    fmt::print("{:<{}}  {:<{}}{:>10}{:>6}{:>6}{:>11.3f}{:>11.3f}{:>11.3f}\n", name_of(round), pattern_width,
               round.placement, placement_width, cubefold::program::size_text(report.cases[i].block_bytes),
               round.contention(), round.longest_hops, times.median() * 1e3, times.minimum() * 1e3,
               times.maximum() * 1e3);
  }
  fmt::print("\nevery byte of every repetition was checked: all right\n");
}

nlohmann::ordered_json as_json(const Report& report) {
  auto json = cubefold::program::run_facts();
  json["grid"] = to_string(report.grid);
  json["repetitions"] = report.options.repetitions;
  json["seed"] = report.options.seed;
  json["order"] = report.measured.order;
  json["results"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < report.cases.size(); ++i) {
    const Round& round = report.rounds[report.cases[i].round].round;
    const std::size_t block_bytes = report.cases[i].block_bytes;
    nlohmann::ordered_json row{{"pattern", round.pattern},
                               {"placement", round.placement},
                               {"alone", round.alone},
                               {"block_bytes", block_bytes},
                               {"contention", round.contention()},
                               {"longest_hops", round.longest_hops}};
    row.update(as_json(report.measured.times[i]));
    row["links"] = cubefold::timing::link_bytes(report.grid, round.link_messages, block_bytes);
    json["results"].push_back(row);
  }
  return json;
}
