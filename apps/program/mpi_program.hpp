#pragma once

#include <functional>
#include <string>

#include "program/cli_fwd.hpp"

namespace cubefold::program {

/// The two options that every program under mpirun has: where it runs, and how its ranks are placed there.
struct Network {
  std::string grid;  ///< empty: a ring of all processes
  std::string placement = "identity";

  /// The grid's text, with the default filled in.
  std::string grid_for(int process_count) const;
};

void add_network_options(CLI::App& app, Network& network);

/// The first of them alone, for programs that take several placements.
void add_grid_option(CLI::App& app, std::string& grid);

/// The frame of a program under mpirun: reads the options, whose callbacks thus come before MPI, starts and ends
/// MPI, and runs body(), whose result is the exit status. Process 0 alone prints help, version and the one line of an
/// error, whose exit status is 2. What all processes have agreed on ends them all; any other exception of body() may be
/// one process's own and ends the job.
int run_under_mpi(CLI::App& app, int argc, char** argv, const std::function<int()>& body);

/// Rank in MPI_COMM_WORLD is 0: the process that prints.
bool is_first_process();

}  // namespace cubefold::program
