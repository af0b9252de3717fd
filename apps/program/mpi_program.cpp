#include "program/mpi_program.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <optional>

#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/error.hpp"
#include "program/program.hpp"

namespace cubefold::program {

namespace {

int guarded(const CLI::App& app, const std::function<int()>& body) {
  try {
    return body();
  } catch (const mpi::Agreed&) {
    if (is_first_process()) print(refusal(app, mpi::current_failure().text));
  } catch (...) {
    print(refusal(app, mpi::current_failure().text));
    MPI_Abort(MPI_COMM_WORLD, exit_usage);
  }
  return exit_usage;
}

int answer_or_run(CLI::App& app, const std::optional<Answer>& answer, const std::function<int()>& body) {
  if (!answer) return guarded(app, body);
  if (is_first_process()) print(*answer);
  return answer->status;
}

}  // namespace

std::string Network::grid_for(int process_count) const {
  return grid.empty() ? fmt::format("ring:{}", process_count) : grid;
}

void add_grid_option(CLI::App& app, std::string& grid) {
  app.add_option("--grid", grid,
                 "The network: torus:8x8, mesh:4x4x4, ring:16, line:16, hypercube:6\n"
                 "or grid:8wx4 (w: wrapped axis), axis 0 first, with as many nodes as\n"
                 "processes. Default: a ring of all processes")
      ->envname("CUBEFOLD_GRID");
}

void add_network_options(CLI::App& app, Network& network) {
  add_grid_option(app, network.grid);
  app.add_option("--placement", network.placement, placement_help)
      ->envname("CUBEFOLD_PLACEMENT")
      ->capture_default_str();
}

bool is_first_process() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank == 0;
}

int run_under_mpi(CLI::App& app, int argc, char** argv, const std::function<int()>& body) {
  // A write beyond the file size limit should fail like one to a full disk, not kill the process.
  std::signal(SIGXFSZ, SIG_IGN);
  const auto answer = read_options(app, argc, argv);
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int status = answer_or_run(app, answer, body);
  std::fflush(stdout);
  MPI_Finalize();
  return status;
}

}  // namespace cubefold::program
