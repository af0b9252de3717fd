#include <fmt/format.h>
#include <mpi.h>
#include <CLI/CLI.hpp>

#include <cstdlib>
#include <optional>
#include <stdexcept>

#include "calibrate/calibration.hpp"
#include "calibrate/check/command.hpp"
#include "calibrate/overload.hpp"
#include "calibrate/plain_calls.hpp"
#include "calibrate/queue_kind.hpp"
#include "calibrate/stream.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "files/output.hpp"
#include "mpi/agreement.hpp"
#include "mpi/job_files.hpp"
#include "mpi/processes.hpp"
#include "program/mpi_program.hpp"
#include "program/program.hpp"
#include "program/progress.hpp"
#include "program/values.hpp"

namespace {

struct Options {
  std::optional<std::string> grid;
  std::string output;
  std::optional<int> repetitions;
  bool quick = false;
  bool without_exchanges = false;
  cubefold::map_check::CheckOptions check;

  Effort effort() const {
    Effort effort;
    if (quick) effort = {1, 0.03};
    if (repetitions) effort.repetitions = *repetitions;
    return effort;
  }

  cubefold::map_check::CheckOptions check_options() const {
    cubefold::map_check::CheckOptions options = check;
    if (quick) options.repetitions = 1;
    if (repetitions) options.repetitions = *repetitions;
    return options;
  }
};

constexpr const char* examples = R"(Examples:
  mpirun -n 16 --map-by node cubefold-calibrate --grid torus:4x4 --output machine.json
  mpirun -n 64 cubefold-calibrate --grid mesh:4x4x4 --output machine.json --repetitions 9
  cubefold-lab run cubefold-calibrate --output machine.json
  mpirun -n 16 --map-by ppr:1:node cubefold-calibrate --check hosts.json

Exit status: 0 if the file was written or if measurements agree with the map of hosts, 1 if they contradict it, 2 if
nothing could be measured or if an option does not fit.)";

/// Throws unless the options are those of a calibration, or those of --check.
void require_one_task(const Options& options) {
  if (options.check.file.empty()) {
    if (options.output.empty()) throw CLI::RequiredError("--output");
    return;
  }
  const char* environment = std::getenv("CUBEFOLD_GRID");  // NOLINT(concurrency-mt-unsafe): before MPI_Init
  const bool is_grid_named = options.grid && (environment == nullptr || *options.grid != environment);
  if (is_grid_named)
    throw std::invalid_argument("--check takes the network from the hosts file, not from --grid");
}

void add_options(CLI::App& app, Options& options) {
  cubefold::program::add_grid_option(app, options.grid);
  CLI::Option* output =
      app.add_option("--output", options.output,
                     "Machine file to write, as JSON; - is standard output, without the table.\n"
                     "The library reads the file that the environment variable CUBEFOLD_MACHINE names");
  app.add_option("--repetitions", options.repetitions,
                 "Measurements of each kind, of which the median counts.\nDefault: 3, with --quick 1")
      ->transform(cubefold::program::whole_number(1, 1000000));
  app.add_flag("--quick", options.quick, "Measure in a tenth of the time, with less precision");
  app.add_flag("--without-exchanges", options.without_exchanges,
               "Leave out the kind of queues, and the times of MPI_Alltoall and linear, which\n"
               "send messages between all processes. No more exchanges of one size begin after\n"
               "10 s, and sizes that would take longer are left out");
  CLI::Option* check =
      app.add_option("--check", options.check.file,
                     "Measure whether this map of hosts (hosts.json) is true, and name hosts that\n"
                     "are likely swapped. Nothing is written. Use one process on each host")
          ->excludes(output);
  app.add_flag("--table", options.check.table, "With --check: print what was measured, a row for each stream")
      ->needs(check);
  app.add_option("--json", options.check.json,
                 "With --check: also write all measurements to this file; - is standard\n"
                 "output, without other text")
      ->needs(check);
  app.footer(examples);
  app.callback([&options] { require_one_task(options); });
}

/// Returns a communicator in which process n is node n.
cubefold::mpi::VirtualComm nodes(const std::optional<std::string>& grid) {
  cubefold::mpi::VirtualComm comm(MPI_COMM_WORLD, grid, "identity");
  cubefold::mpi::agree_on_outcome(MPI_COMM_WORLD, [&] {
    if (!comm.knows_network())
      throw std::invalid_argument("nothing is known of the network; --grid or CUBEFOLD_HOSTS names it");
    if (comm.sharing() != nullptr) {
      throw std::invalid_argument(
          fmt::format("{}: a measurement needs one process on every node, as with mpirun --map-by ppr:1:node",
                      nodes_text(comm)));
    }
    require_neighbours(comm.grid());
    if (comm.grid().node_count() > 1) return;
    throw std::invalid_argument(
        fmt::format("{} has 1 node; there is nothing to measure below 2", to_string(comm.grid())));
  });
  return comm;
}

int run_calibration(const Options& options) {
  const cubefold::mpi::VirtualComm comm = nodes(options.grid);
  std::optional<cubefold::files::Output> output;
  cubefold::mpi::root_try(MPI_COMM_WORLD, [&] { output.emplace(options.output); });
  cubefold::program::Progress progress(cubefold::program::is_first_process());
  const Bench bench{comm.virtual_comm(), comm.grid(), options.effort(), progress};
  const std::size_t hosts = cubefold::mpi::host_count(MPI_COMM_WORLD);
  Calibration calibration = calibrate(bench);
  cubefold::Machine machine = machine_of(comm.grid(), calibration);
  if (!options.without_exchanges) {
    if (hosts > 1) calibration.overload = measured_overload(bench, machine);  // one host has no queues
    machine.queues = queue_kind(calibration.overload, machine.alpha_seconds);
    measure_plain_calls(bench, comm, machine);
  }
  progress.wipe();
  machine.host_count = hosts;
  machine.mpi_library = cubefold::mpi::library_name();
  machine.date = cubefold::program::now();
  cubefold::mpi::root_try(MPI_COMM_WORLD, [&] { output->write(to_json(machine)); });
  cubefold::program::print_on_first({options.output}, [&] {
    print_table(machine, calibration);
    print_plain_calls(machine);
  });
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Measures the network that its processes run on, one on each node of a grid, and writes a machine\n"
      "file. With --check, it measures whether a map of hosts is true.",
      "cubefold-calibrate");
  Options options;
  add_options(app, options);
  return cubefold::program::run_under_mpi(app, argc, argv, [&] {
    return options.check.file.empty() ? run_calibration(options)
                                      : cubefold::map_check::check_hosts(options.check_options());
  });
}
