#include "exchange/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mpi.h>

#include "cubefold/mpi/error.hpp"
#include "cubefold/topology/link_loads.hpp"
#include "cubefold/topology/route.hpp"
#include "cubefold/version.h"
#include "program/json_file.hpp"
#include "program/program.hpp"
#include "timing/link_bytes.hpp"

using cubefold::program::counted;
using cubefold::timing::size_text;
using cubefold::timing::Times;

namespace {

/// What each process sends to others, over the median time.
double bytes_per_second(const Setting& setting, std::size_t block_bytes, const Times& times) {
  return static_cast<double>((setting.process_count - 1) * block_bytes) / times.median();
}

/// Blocks on every link in all steps together: in each stage of the CC-cube exchange half of all from each rank to one
/// neighbour, in a direct exchange one from each to each.
cubefold::LinkLoads messages_of(const cubefold::Placement& placement, cubefold::Tie tie,
                                cubefold::ExchangeMethod algorithm) {
  cubefold::LinkLoads messages(placement.grid(), tie);
  const bool neighbours_only = algorithm == cubefold::ExchangeMethod{};
  for (std::uint32_t from = 0; from < placement.rank_count(); ++from) {
    for (std::uint32_t difference = 1; difference < placement.rank_count();
         difference = neighbours_only ? 2 * difference : difference + 1) {
      messages.add(placement.node_of(cubefold::Rank{from}),
                   placement.node_of(cubefold::Rank{from ^ difference}));
    }
  }
  return messages;
}

nlohmann::ordered_json predicted_links(const cubefold::Placement& placement, cubefold::Tie tie,
                                       cubefold::ExchangeMethod algorithm, std::size_t block_bytes) {
  const bool halves = algorithm == cubefold::ExchangeMethod{};
  return cubefold::timing::link_bytes(placement.grid(), messages_of(placement, tie, algorithm),
                                      (halves ? placement.rank_count() / 2 : 1) * block_bytes);
}

}  // namespace

Setting setting_of(const cubefold::mpi::VirtualComm& comm, const cubefold::timing::RunOptions& options) {
  const auto& placement = comm.placement();
  Setting setting{to_string(comm.grid()), to_string(placement.rule()),
                  placement.rank_count(), options.repetitions,
                  options.seed,           {}};
  for (int i = 0; i < dimension_count(placement); ++i) {
    const auto other = placement.node_of(neighbour(comm.rank(), i));
    setting.stage_hops.push_back(
        static_cast<int>(distance_hops(comm.grid(), placement.node_of(comm.rank()), other)));
  }
  cubefold::mpi::check(
      MPI_Allreduce(MPI_IN_PLACE, setting.stage_hops.data(), static_cast<int>(setting.stage_hops.size()),
                    MPI_INT, MPI_MAX, comm.virtual_comm()),
      "MPI_Allreduce");
  return setting;
}

void print_table(const Setting& setting, const Comparison& comparison) {
  fmt::print("cubefold-exchange {}: {} on {}, placement {}\n", CUBEFOLD_VERSION,
             counted(setting.process_count, "process"), setting.grid, setting.placement);
  fmt::print("cube: {}, hops to the neighbour in each: {}\n", counted(setting.stage_hops.size(), "dimension"),
             setting.stage_hops.empty() ? "none" : fmt::format("{}", fmt::join(setting.stage_hops, " ")));
  fmt::print(
      "times of the slowest process in ms over {} in random order; MB/s = bytes a process sends / median\n\n",
      counted(static_cast<std::size_t>(setting.repetitions), "repetition"));
  fmt::print("{:>10}  {:<14}{:>11}{:>11}{:>11}{:>11}\n", "block", "algorithm", "median", "min", "max",
             "MB/s");
  for (std::size_t i = 0; i < comparison.cases.size(); ++i) {
    const auto& [block_bytes, algorithm, ours] = comparison.cases[i];
    const Times& times = comparison.measured.times[i];
    fmt::print("{:>10}  {:<14}{:>11.3f}{:>11.3f}{:>11.3f}{:>11.1f}\n", size_text(block_bytes), algorithm,
               times.median() * 1e3, times.minimum() * 1e3, times.maximum() * 1e3,
               bytes_per_second(setting, block_bytes, times) / 1e6);
  }
  fmt::print("\nevery byte of every repetition was checked: all right\n");
}

nlohmann::ordered_json as_json(const Setting& setting, const Comparison& comparison,
                               const cubefold::Placement& placement, cubefold::Tie tie) {
  auto json = cubefold::program::run_facts();
  json["grid"] = setting.grid;
  json["placement"] = setting.placement;
  json["stage_hops"] = setting.stage_hops;
  json["repetitions"] = setting.repetitions;
  json["seed"] = setting.seed;
  json["order"] = comparison.measured.order;
  json["results"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < comparison.cases.size(); ++i) {
    const auto& [block_bytes, algorithm, ours] = comparison.cases[i];
    const Times& times = comparison.measured.times[i];
    nlohmann::ordered_json row{{"block_bytes", block_bytes},
                               {"algorithm", algorithm},
                               {"bytes_per_second", bytes_per_second(setting, block_bytes, times)}};
    row.update(as_json(times));
    if (ours) row["links"] = predicted_links(placement, tie, *ours, block_bytes);
    json["results"].push_back(row);
  }
  return json;
}
