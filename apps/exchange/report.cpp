#include "exchange/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mpi.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <vector>

#include "cubefold/mpi/error.hpp"
#include "cubefold/topology/route.hpp"
#include "cubefold/version.h"
#include "exchange/model.hpp"
#include "program/mpi_program.hpp"
#include "program/network_times.hpp"
#include "program/program.hpp"
#include "program/values.hpp"

using cubefold::program::counted;
using cubefold::program::size_text;
using cubefold::timing::Times;

namespace {

/// Returns the bytes that each process sends to others, divided by the median time.
double bytes_per_second(const Setting& setting, std::size_t block_bytes, const Times& times) {
  return static_cast<double>((setting.process_count - 1) * block_bytes) / times.median();
}

/// Returns the name of a case, followed by the method that its plan chose.
std::string label(const ExchangeCase& measured) {
  if (!measured.ours || measured.algorithm == to_string(measured.ours->setup.method))
    return measured.algorithm;
  return fmt::format("{}: {}", measured.algorithm, to_string(measured.ours->setup.method));
}

std::string milliseconds(double seconds) {
  return fmt::format("{:.3f}", seconds * 1e3);
}

/// Returns whether the model was measured. A model with default constants gives no predictions.
bool has_predictions(const Setting& setting) {
  return !setting.model.machine_file.empty();
}

/// Returns the median time divided by the bound. The text is empty for a single process, which has nothing to send.
std::string over_bound(const ExchangeCase& measured, const Times& times) {
  if (measured.bound_seconds <= 0) return "";
  return fmt::format("{:.2f}", times.median() / measured.bound_seconds);
}

/// Returns the last columns of the table: the predicted time, and the measured time divided by the bound.
std::string prediction(const ExchangeCase& measured, const Times& times) {
  return fmt::format("{:>11}{:>9}", measured.ours ? milliseconds(measured.ours->predicted_seconds) : "",
                     over_bound(measured, times));
}

void print_head(const Setting& setting) {
  fmt::print("cubefold-exchange {}: {} on {}, placement {}\n", CUBEFOLD_VERSION,
             counted(setting.process_count, "process"), setting.nodes, setting.placement);
  if (std::has_single_bit(setting.process_count)) {
    fmt::print("ranks form a hypercube of {}{}\n", counted(setting.stage_hops.size(), "dimension"),
               setting.stage_hops.empty()
                   ? ""
                   : fmt::format("; partners are {} hops away", fmt::join(setting.stage_hops, " ")));
  }
  fmt::print("model: {}\n", to_string(setting.model));
  fmt::print(
      "times of the slowest process in ms over {} in random order; MB/s = bytes a process sends / "
      "median{}\n\n",
      counted(static_cast<std::size_t>(setting.repetitions), "repetition"),
      has_predictions(setting) ? ";\n/ bound = median / what no exchange beats in the model" : "");
}

nlohmann::ordered_json as_json(const SourcedModel& sourced) {
  const auto& model = sourced.model;
  auto json = as_json(cubefold::program::times_of(model));
  json["ports"] = to_string(model.network.ports);
  json["tie"] = to_string(model.network.tie);
  json["machine_file"] = nullptr;
  if (!sourced.machine_file.empty()) json["machine_file"] = sourced.machine_file;
  return json;
}

void add_plan(nlohmann::ordered_json& row, const PlannedExchange& ours) {
  row["method"] = to_string(ours.setup.method);
  row["sync"] = to_string(ours.setup.sync);
  row["predicted_seconds"] = ours.predicted_seconds;
}

}  // namespace

Setting setting_of(const cubefold::mpi::VirtualComm& comm, const cubefold::timing::RunOptions& options,
                   const SourcedModel& model) {
  const auto& placement = comm.placement();
  Setting setting{to_string(comm.network()),
                  nodes_text(comm),
                  placement_text(comm),
                  placement.rank_count(),
                  options.repetitions,
                  options.seed,
                  model,
                  {}};
  if (!std::has_single_bit(setting.process_count)) return setting;
  const auto node_of = [&](cubefold::Rank rank) {
    return comm.sharing() != nullptr ? comm.sharing()->node_of(rank) : placement.node_of(rank);
  };
  for (int i = 0; i < dimension_count(placement); ++i) {
    const auto other = node_of(neighbour(comm.rank(), i));
    setting.stage_hops.push_back(
        static_cast<int>(distance_hops(comm.network(), node_of(comm.rank()), other)));
  }
  cubefold::mpi::check(
      MPI_Allreduce(MPI_IN_PLACE, setting.stage_hops.data(), static_cast<int>(setting.stage_hops.size()),
                    MPI_INT, MPI_MAX, comm.virtual_comm()),
      "MPI_Allreduce");
  return setting;
}

namespace {

void print_table(const Setting& setting, const Comparison& comparison) {
  print_head(setting);
  fmt::print("{:>10}  {:<25}{:>11}{:>11}{:>11}{:>11}{}\n", "block", "algorithm", "median", "min", "max",
             "MB/s", has_predictions(setting) ? "  predicted  / bound" : "");
  for (std::size_t i = 0; i < comparison.cases.size(); ++i) {
    const ExchangeCase& measured = comparison.cases[i];
    const Times& times = comparison.measured.times[i];
    fmt::print("{:>10}  {:<25}{:>11}{:>11}{:>11}{:>11.1f}{}\n", size_text(measured.block_bytes),
               label(measured), milliseconds(times.median()), milliseconds(times.minimum()),
               milliseconds(times.maximum()), bytes_per_second(setting, measured.block_bytes, times) / 1e6,
               has_predictions(setting) ? prediction(measured, times) : "");
  }
  for (const auto& [block_bytes, text] : comparison.choices) fmt::print("\n{}, {}", library_name, text);
  fmt::print("\nevery byte of every repetition was checked: all right\n");
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Prints the cases of one algorithm. Scripts that read tables of OSU skip the lines that begin with #.
void print_osu_table(const Setting& setting, const Comparison& comparison, const std::string& algorithm) {
  fmt::print("# cubefold-exchange {} All-to-All Personalized Exchange Latency Test: {}\n", CUBEFOLD_VERSION,
             algorithm);
  fmt::print("# {} on {}, placement {}; latencies of the slowest process\n",
             counted(setting.process_count, "process"), setting.nodes, setting.placement);
  fmt::print("{:<10}{:>18}{:>18}{:>18}{:>12}\n", "# Size", "Avg Latency(us)", "Min Latency(us)",
             "Max Latency(us)", "Iterations");
  for (std::size_t i = 0; i < comparison.cases.size(); ++i) {
    if (comparison.cases[i].algorithm != algorithm) continue;
    const Times& times = comparison.measured.times[i];
    fmt::print("{:<10}{:>18.2f}{:>18.2f}{:>18.2f}{:>12}\n", comparison.cases[i].block_bytes,
               mean(times.seconds) * 1e6, times.minimum() * 1e6, times.maximum() * 1e6, times.seconds.size());
  }
}

void print_osu(const Setting& setting, const Comparison& comparison) {
  std::vector<std::string> printed;
  for (const ExchangeCase& each : comparison.cases) {
    if (std::count(printed.begin(), printed.end(), each.algorithm) > 0) continue;
    if (!printed.empty()) fmt::print("\n");
    print_osu_table(setting, comparison, each.algorithm);
    printed.push_back(each.algorithm);
  }
}

void print_csv(const Setting& setting, const Comparison& comparison) {
  fmt::print(
      "block_bytes,algorithm,method,median_seconds,min_seconds,max_seconds,bytes_per_second,"
      "predicted_seconds,bound_seconds\n");
  for (std::size_t i = 0; i < comparison.cases.size(); ++i) {
    const ExchangeCase& each = comparison.cases[i];
    const Times& times = comparison.measured.times[i];
    fmt::print("{},{},{},{:.9g},{:.9g},{:.9g},{:.9g},{},{:.9g}\n", each.block_bytes, each.algorithm,
               each.ours ? to_string(each.ours->setup.method) : "", times.median(), times.minimum(),
               times.maximum(), bytes_per_second(setting, each.block_bytes, times),
               each.ours ? fmt::format("{:.9g}", each.ours->predicted_seconds) : "", each.bound_seconds);
  }
}

}  // namespace

Format parse_format(const std::string& text) {
  const std::map<std::string, Format> formats{
      {"table", Format::table}, {"osu", Format::osu}, {"csv", Format::csv}};
  return cubefold::program::value_named("format", text, formats);
}

void print_results(const Setting& setting, const Comparison& comparison, Format format) {
  switch (format) {
    case Format::table:
      print_table(setting, comparison);
      break;
    case Format::osu:
      print_osu(setting, comparison);
      break;
    case Format::csv:
      print_csv(setting, comparison);
      break;
  }
}

nlohmann::ordered_json as_json(const Setting& setting, const Comparison& comparison,
                               const cubefold::Placement& placement) {
  auto json = cubefold::program::run_facts();
  json["grid"] = setting.grid;
  json["nodes"] = setting.nodes;
  json["placement"] = setting.placement;
  json["model"] = as_json(setting.model);
  json["stage_hops"] = setting.stage_hops;
  json["repetitions"] = setting.repetitions;
  json["seed"] = setting.seed;
  json["order"] = comparison.measured.order;
  json["results"] = nlohmann::ordered_json::array();
  PredictedLinks links(placement, setting.model.model.network);
  for (std::size_t i = 0; i < comparison.cases.size(); ++i) {
    const ExchangeCase& measured = comparison.cases[i];
    const Times& times = comparison.measured.times[i];
    nlohmann::ordered_json row{{"block_bytes", measured.block_bytes},
                               {"algorithm", measured.algorithm},
                               {"bound_seconds", measured.bound_seconds},
                               {"bytes_per_second", bytes_per_second(setting, measured.block_bytes, times)}};
    row.update(as_json(times));
    const auto choice = comparison.choices.find(measured.block_bytes);
    if (measured.algorithm == library_name && choice != comparison.choices.end())
      row["choice"] = choice->second;
    if (measured.ours) {
      add_plan(row, *measured.ours);
      if (auto loads = links.of(measured.ours->setup.method, measured.block_bytes))
        row["links"] = std::move(*loads);
    }
    json["results"].push_back(std::move(row));
  }
  return json;
}
