#include "program/program.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <csignal>
#include <cstdio>
#include <optional>
#include <sstream>

#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/error.hpp"
#include "cubefold/version.h"

namespace cubefold::program {

namespace {

constexpr int exit_usage = 2;

void print_error(const CLI::App& app, const std::string& text) {
  fmt::print(stderr, "{}: {}\n", app.get_name(), text);
}

/// Help and version are answers, everything else is a line on standard error.
int answer(const CLI::App& app, const CLI::ParseError& error) {
  const bool asked_for = error.get_exit_code() == 0;
  if (is_first_process()) {
    if (asked_for) {
      std::ostringstream text;
      app.exit(error, text, text);
      fmt::print("{}", text.str());
    } else {
      print_error(app, fmt::format("{} (see {} --help)", error.what(), app.get_name()));
    }
  }
  return asked_for ? 0 : exit_usage;
}

int guarded(const CLI::App& app, const std::function<int()>& body) {
  try {
    return body();
  } catch (const mpi::Agreed&) {
    if (is_first_process()) print_error(app, mpi::current_failure().text);
  } catch (...) {
    print_error(app, mpi::current_failure().text);
    MPI_Abort(MPI_COMM_WORLD, exit_usage);
  }
  return exit_usage;
}

/// What the options have to say against themselves, or the help or version that they ask for.
std::optional<CLI::ParseError> parse(CLI::App& app, int argc, char** argv) {
  app.set_version_flag("--version", fmt::format("{} {}", app.get_name(), CUBEFOLD_VERSION));
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::ParseError& error) {
    return error;
  }
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
  app.add_option("--placement", network.placement,
                 "identity, standard, xor, by-weight or gray, then optionally\n"
                 ",bits=cyclic and ,order=0-3-1-2 (new bit k = old bit order[k])")
      ->envname("CUBEFOLD_PLACEMENT")
      ->capture_default_str();
}

std::string counted(std::size_t count, const std::string& noun) {
  if (count == 1) return "1 " + noun;
  return fmt::format("{} {}{}", count, noun, noun.ends_with('s') ? "es" : "s");
}

bool is_first_process() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank == 0;
}

int run(CLI::App& app, int argc, char** argv, const std::function<int()>& body) {
  // A write beyond the file size limit should fail like one to a full disk, not kill the process.
  std::signal(SIGXFSZ, SIG_IGN);
  const auto error = parse(app, argc, argv);
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  const int status = error ? answer(app, *error) : guarded(app, body);
  std::fflush(stdout);
  MPI_Finalize();
  return status;
}

}  // namespace cubefold::program
