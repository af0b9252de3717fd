#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "program/cli_fwd.hpp"

namespace cubefold::program {

/// The two options that every program under mpirun has: where it runs, and how its ranks are placed there. What neither
/// an option nor the environment gives is left to mpi::VirtualComm, which knows the defaults.
struct Network {
  std::optional<std::string> grid;
  std::optional<std::string> placement;
};

void add_network_options(CLI::App& app, Network& network);

/// The first of them alone, and the help text of the second, for programs that take several placements.
void add_grid_option(CLI::App& app, std::optional<std::string>& grid);
std::string placement_help_with_default();

/// The frame of a program under mpirun: reads the options, whose callbacks thus come before MPI, starts and ends MPI,
/// and runs body(), whose result is the exit status. Process 0 alone prints help, version and the one line of an error,
/// whose exit status is 2. Several processes that find themselves alone are refused. What all processes have agreed on
/// ends them all; any other exception of body() may be one process's own and ends the job.
int run_under_mpi(CLI::App& app, int argc, char** argv, const std::function<int()>& body);

/// Rank in MPI_COMM_WORLD is 0: the process that prints.
bool is_first_process();

/// Collective over MPI_COMM_WORLD: print_output() on process 0, unless one of the outputs is `-`, which has standard
/// output for itself. Throws on all processes if it cannot be written.
void print_on_first(const std::vector<std::string>& outputs, const std::function<void()>& print);

}  // namespace cubefold::program
