#include <fmt/format.h>
#include <mpi.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "exchange/cases.hpp"
#include "exchange/forced_alltoall.hpp"
#include "exchange/measure.hpp"
#include "exchange/model.hpp"
#include "exchange/report.hpp"
#include "mpi/agreement.hpp"
#include "program/mpi_program.hpp"
#include "program/program.hpp"
#include "program/progress.hpp"
#include "program/values.hpp"
#include "timing/runs.hpp"

namespace {

struct Options {
  cubefold::program::Network network;
  cubefold::timing::RunOptions runs;
  ModelOptions model;
  std::vector<std::string> algorithms;
  std::vector<Baseline> baselines = baselines_named({"default"});
  std::optional<cubefold::StepSync> sync;
  Format format = Format::table;
  std::string json;
};

constexpr const char* examples = R"(Examples:
  mpirun -n 16 cubefold-exchange --grid torus:4x4 --machine machine.json
  mpirun -n 8 cubefold-exchange --grid hypercube:3 --block 8,1KiB,1MiB --repetitions 50
  mpirun -n 64 cubefold-exchange --grid mesh:4x4x4 --placement standard,bits=cyclic --json times.json
  mpirun -n 16 cubefold-exchange --grid torus:4x4 --format osu
  mpirun -n 12 cubefold-exchange --grid mesh:4x3 --algorithm plan,all --compare all --block 8,1KiB,64KiB --seed 7

Exit status: 0 if all data are right, 2 if not or if an option does not fit.)";

void add_options(CLI::App& app, Options& options) {
  add_network_options(app, options.network);
  add_run_options(app, options.runs);
  using Names = std::vector<std::string>;
  cubefold::program::add_parsed<Names>(
      app, "--algorithm", options.algorithms, known_algorithms,
      "Exchanges of cubefold, separated by commas: plan (the planner's choice for each\n"
      "block size; the default on a known network with one process on each node),\n"
      "alltoall (what cubefold_alltoall would use; the default if nodes have several\n"
      "processes or the network is unknown), all (every method that fits the grid), or methods,\n"
      "which `cubefold plan exchange` compares without running:\n" +
          cubefold::program::algorithm_help())
      ->delimiter(',')
      ->allow_extra_args(false);
  cubefold::program::add_parsed<Names>(
      app, "--compare", options.baselines, baselines_named,
      "Exchanges of MPI to compare with, separated by commas: default\n"
      "(MPI_Alltoall with its own choice; the default), linear, pairwise,\n"
      "bruck, linear-sync, scattered (forced: Open MPI has the first four, MPICH\n"
      "has pairwise, bruck and scattered), ialltoall,\n"
      "by-axis (MPI_Alltoall on the lines of one grid axis after the other),\n"
      "all (that this MPI has), none")
      ->delimiter(',')
      ->allow_extra_args(false);
  cubefold::program::add_parsed(app, "--sync", options.sync, read_step_sync,
                                "Synchronisation of the steps of cubefold: auto (as planned; the default),\n"
                                "data (steps wait for arrived data), clock");
  cubefold::program::add_parsed(app, "--pacing", options.sync, read_step_sync, "The earlier name of --sync")
      ->group("");
  add_model_options(app, options.model);
  cubefold::program::add_parsed(
      app, "--format", options.format, parse_format,
      "Output: table; osu (tables of the OSU micro-benchmarks, sizes and latencies\n"
      "in us); csv (times in seconds). Default: table");
  app.add_option("--json", options.json,
                 "Also write the results to this file; - is standard output, without\nthe table");
  app.footer(examples);
  app.callback([&] {
    if (any_forced(options.baselines)) allow_forcing();
  });
}

Selection selection_of(const Options& options, const cubefold::mpi::VirtualComm& comm) {
  // A plan is for a network whose links are known, and for one process on each node.
  const bool is_planned = comm.knows_network() && comm.sharing() == nullptr;
  std::vector<std::string> algorithms = options.algorithms;
  if (algorithms.empty()) algorithms.emplace_back(is_planned ? "plan" : "alltoall");
  return {our_algorithms(algorithms, comm.grid()), options.baselines, options.runs.block_sizes, options.sync};
}

std::shared_ptr<cubefold::mpi::PlanCache> plans_of(const cubefold::mpi::VirtualComm& comm,
                                                   const std::vector<ExchangeCase>& cases) {
  const auto is_library = [](const ExchangeCase& each) { return each.algorithm == library_name; };
  if (std::none_of(cases.begin(), cases.end(), is_library)) return nullptr;
  return std::make_shared<cubefold::mpi::PlanCache>(comm);
}

/// Returns the text of PlanCache::explain() for blocks of each size. All processes must call this.
std::map<std::size_t, std::string> choices_of(cubefold::mpi::PlanCache& plans,
                                              const std::vector<std::size_t>& sizes) {
  std::map<std::size_t, std::string> choices;
  for (const std::size_t block_bytes : sizes) choices[block_bytes] = plans.explain(block_bytes);
  return choices;
}

int run_exchange(const Options& options) {
  const cubefold::mpi::VirtualComm comm(MPI_COMM_WORLD, options.network.grid, options.network.placement);
  cubefold::program::JsonFile json(options.json);
  const SourcedModel model = model_of(comm, options.model);
  Comparison comparison;
  cubefold::mpi::agree_on_outcome(MPI_COMM_WORLD, [&] {
    comparison.cases = cases_of(selection_of(options, comm), comm.placement(), model.model);
  });
  const auto plans = plans_of(comm, comparison.cases);
  const auto runners = algorithms(comm, comparison.cases, options.baselines, plans);
  cubefold::program::Progress progress(cubefold::program::is_first_process());
  comparison.measured = measure(comm, comparison.cases, runners, options.runs, progress);
  progress.wipe();
  if (plans) comparison.choices = choices_of(*plans, options.runs.block_sizes);
  const auto setting = setting_of(comm, options.runs, model);
  cubefold::program::print_on_first({options.json},
                                    [&] { print_results(setting, comparison, options.format); });
  json.write([&] { return as_json(setting, comparison, comm.placement()); });
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Times the complete exchange (all-to-all) over virtual ranks and those of MPI in the same run, and "
      "checks every byte.",
      "cubefold-exchange");
  Options options;
  add_options(app, options);
  return cubefold::program::run_under_mpi(app, argc, argv, [&] { return run_exchange(options); });
}
