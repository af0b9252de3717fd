#include <fmt/format.h>
#include <mpi.h>

#include <stdexcept>

#include "exchange/algorithm.hpp"
#include "exchange/forced_alltoall.hpp"
#include "exchange/measure.hpp"
#include "exchange/report.hpp"
#include "program/json_file.hpp"
#include "program/mpi_program.hpp"
#include "program/progress.hpp"
#include "timing/link_bytes.hpp"
#include "timing/runs.hpp"

namespace {

struct Options {
  cubefold::program::Network network;
  cubefold::timing::RunOptions runs;
  std::vector<cubefold::ExchangeMethod> algorithms{{cubefold::ExchangeAlgorithm::cc_cube, {}},
                                                   {cubefold::ExchangeAlgorithm::direct, {}}};
  std::vector<Rival> rivals = rivals_named({"default"});
  cubefold::Tie tie = cubefold::Tie::balanced;
  std::string json;
};

constexpr const char* examples = R"(Examples:
  mpirun -n 16 cubefold-exchange --grid torus:4x4 --placement xor
  mpirun -n 8 cubefold-exchange --grid hypercube:3 --block 8,1KiB,1MiB --repetitions 50
  mpirun -n 64 cubefold-exchange --grid mesh:4x4x4 --placement standard,bits=cyclic --json times.json
  mpirun -n 16 cubefold-exchange --compare all --block 8,1KiB,64KiB --seed 7

Exit status: 0 if all data arrived right, 2 if not or if an option does not fit.)";

std::vector<Rival> read_rivals(const std::vector<std::string>& names) {
  try {
    return rivals_named(names);
  } catch (const std::invalid_argument& error) {
    throw CLI::ValidationError("--compare", error.what());
  }
}

std::vector<cubefold::ExchangeMethod> read_algorithms(const std::vector<std::string>& names) {
  std::vector<cubefold::ExchangeMethod> algorithms;
  for (const std::string& name : names) {
    try {
      algorithms.push_back(cubefold::parse_exchange_method(name));
    } catch (const std::invalid_argument& error) {
      throw CLI::ValidationError("--algorithm", error.what());
    }
  }
  return algorithms;
}

void add_options(CLI::App& app, Options& options) {
  add_network_options(app, options.network);
  add_run_options(app, options.runs);
  app.add_option_function<std::vector<std::string>>(
         "--algorithm", [&](const auto& names) { options.algorithms = read_algorithms(names); },
         "Our exchanges, separated by commas: cc-cube (fewest start-ups), direct\n"
         "(every block travels once); both if nothing is said")
      ->delimiter(',');
  app.add_option_function<std::vector<std::string>>(
         "--compare", [&](const auto& names) { options.rivals = read_rivals(names); },
         "What of MPI's own to run beside it, separated by commas: default\n"
         "(MPI_Alltoall as it is, also if nothing is said), linear, pairwise,\n"
         "bruck, linear-sync (these four forced, Open MPI only), ialltoall, all,\n"
         "none")
      ->delimiter(',');
  cubefold::timing::add_tie_option(app, options.tie);
  app.add_option("--json", options.json, "Also write the results to this file");
  app.footer(examples);
  app.callback([&] {
    if (any_forced(options.rivals)) allow_forcing();
  });
}

int run_exchange(const Options& options) {
  int process_count = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &process_count);
  const cubefold::mpi::VirtualComm comm(MPI_COMM_WORLD, options.network.grid_for(process_count),
                                        options.network.placement);
  cubefold::program::JsonFile json(options.json);
  cubefold::program::Progress progress;
  const auto comparison = compare(comm, options.algorithms, options.rivals, options.runs, progress);
  progress.wipe();
  const auto setting = setting_of(comm, options.runs);
  if (cubefold::program::is_first_process()) print_table(setting, comparison);
  json.write([&] { return as_json(setting, comparison, comm.placement(), options.tie); });
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Times the complete exchange (all-to-all) over virtual ranks, beside those of MPI in the same run, and "
      "checks every byte.",
      "cubefold-exchange");
  Options options;
  add_options(app, options);
  return cubefold::program::run_under_mpi(app, argc, argv, [&] { return run_exchange(options); });
}
