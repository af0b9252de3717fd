#include "exchange/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <mpi.h>

#include "cubefold/mpi/error.hpp"
#include "cubefold/topology/route.hpp"
#include "cubefold/version.h"
#include "program/json_file.hpp"
#include "program/program.hpp"

using cubefold::program::counted;

namespace {

std::string size_text(std::size_t bytes) {
  constexpr std::size_t kib = 1024;
  if (bytes >= kib * kib && bytes % (kib * kib) == 0) return fmt::format("{} MiB", bytes / kib / kib);
  if (bytes >= kib && bytes % kib == 0) return fmt::format("{} KiB", bytes / kib);
  return fmt::format("{} B", bytes);
}

/// What each process sends to others, over the median time.
double bytes_per_second(const Setting& setting, const Measurement& measurement) {
  const auto sent = static_cast<double>((setting.process_count - 1) * measurement.block_bytes);
  return sent / measurement.median();
}

}  // namespace

Setting setting_of(const cubefold::mpi::VirtualComm& comm, int repetitions) {
  const auto& placement = comm.placement();
  Setting setting{
      to_string(comm.grid()), to_string(placement.rule()), placement.rank_count(), repetitions, {}};
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

void print_table(const Setting& setting, const std::vector<Measurement>& measurements) {
  fmt::print("cubefold-exchange {}: {} on {}, placement {}\n", CUBEFOLD_VERSION,
             counted(setting.process_count, "process"), setting.grid, setting.placement);
  fmt::print("CC-cube: {}, hops to the neighbour in each: {}\n", counted(setting.stage_hops.size(), "stage"),
             setting.stage_hops.empty() ? "none" : fmt::format("{}", fmt::join(setting.stage_hops, " ")));
  fmt::print("times of the slowest process in ms over {}; MB/s = bytes a process sends / median\n\n",
             counted(static_cast<std::size_t>(setting.repetitions), "repetition"));
  fmt::print("{:>10}  {:<14}{:>11}{:>11}{:>11}{:>11}\n", "block", "algorithm", "median", "min", "max",
             "MB/s");
  for (const Measurement& m : measurements) {
    fmt::print("{:>10}  {:<14}{:>11.3f}{:>11.3f}{:>11.3f}{:>11.1f}\n", size_text(m.block_bytes), m.algorithm,
               m.median() * 1e3, m.minimum() * 1e3, m.maximum() * 1e3, bytes_per_second(setting, m) / 1e6);
  }
  fmt::print("\nevery byte of every repetition was checked: all right\n");
}

nlohmann::ordered_json as_json(const Setting& setting, const std::vector<Measurement>& measurements) {
  auto json = cubefold::program::run_facts();
  json["grid"] = setting.grid;
  json["placement"] = setting.placement;
  json["stage_hops"] = setting.stage_hops;
  json["repetitions"] = setting.repetitions;
  json["results"] = nlohmann::ordered_json::array();
  for (const Measurement& m : measurements) {
    json["results"].push_back({{"block_bytes", m.block_bytes},
                               {"algorithm", m.algorithm},
                               {"median_seconds", m.median()},
                               {"min_seconds", m.minimum()},
                               {"max_seconds", m.maximum()},
                               {"bytes_per_second", bytes_per_second(setting, m)},
                               {"seconds", m.seconds}});
  }
  return json;
}
