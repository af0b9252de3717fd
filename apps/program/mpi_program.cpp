#include "program/mpi_program.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <optional>

#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/error.hpp"
#include "cubefold/topology/grid.hpp"
#include "program/company.hpp"
#include "program/program.hpp"
#include "program/values.hpp"

namespace cubefold::program {

namespace {

/// Returns the text of an error on this process only. The process comes first, as in the texts of mpi::agree().
std::string text_of_one_process(const std::string& text) {
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size == 1 ? text : fmt::format("process {} of {}: {}", rank, size, text);
}

int guarded(const CLI::App& app, const std::function<int()>& body) {
  try {
    return body();
  } catch (const mpi::Agreed&) {
    if (is_first_process()) print(refusal(app, mpi::current_failure().text));
  } catch (...) {
    print(refusal(app, text_of_one_process(mpi::current_failure().text)));
    MPI_Abort(MPI_COMM_WORLD, exit_usage);
  }
  return exit_usage;
}

int answer_or_run(const std::optional<Answer>& answer, const std::function<int()>& body) {
  if (!answer) return body();
  print_on_first({}, [&] { print(*answer); });
  return answer->status;
}

}  // namespace

void add_grid_option(CLI::App& app, std::optional<std::string>& grid) {
  app.add_option("--grid", grid,
                 "The network: torus:8x8, mesh:4x4x4, ring:16, line:16, hypercube:6\n"
                 "or grid:8wx4 (w: wrapped axis), axis 0 first, with as many nodes as\n"
                 "processes. Default: a ring of all processes")
      ->check(read_by(parse_grid))
      ->envname("CUBEFOLD_GRID");
}

std::string placement_help_with_default() {
  return placement_help() + ".\nDefault: identity";
}

void add_network_options(CLI::App& app, Network& network) {
  add_grid_option(app, network.grid);
  app.add_option("--placement", network.placement, placement_help_with_default())
      ->check(read_by(check_placement))
      ->envname("CUBEFOLD_PLACEMENT");
}

bool is_first_process() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank == 0;
}

void print_on_first(const std::vector<std::string>& outputs, const std::function<void()>& print) {
  if (std::count(outputs.begin(), outputs.end(), "-") > 0) return;
  mpi::root_try(MPI_COMM_WORLD, [&] { print_output(print); });
}

int run_under_mpi(CLI::App& app, int argc, char** argv, const std::function<int()>& body) {
  // A write beyond the file size limit should fail like a write to a full disk, and not end the process.
  std::signal(SIGXFSZ, SIG_IGN);
  auto answer = read_options(app, argc, argv);
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (!answer) answer = refusal_if_alone(app);
  const int status = guarded(app, [&] { return answer_or_run(answer, body); });
  MPI_Finalize();
  return status;
}

}  // namespace cubefold::program
