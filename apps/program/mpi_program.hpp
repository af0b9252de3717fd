#pragma once

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "files/output.hpp"
#include "program/cli_fwd.hpp"
#include "program/program.hpp"

namespace cubefold::program {

/// Holds the two options that every program under mpirun has: the grid, and the placement of its ranks. If neither an
/// option nor the environment gives them, mpi::VirtualComm uses its defaults.
struct Network {
  std::optional<std::string> grid;
  std::optional<std::string> placement;
};

void add_network_options(CLI::App& app, Network& network);

/// Adds --machine, which sets CUBEFOLD_MACHINE for this process. All code that runs later reads the variable.
void add_machine_option(CLI::App& app, const std::string& help);

/// Adds only the option of the grid, for programs that take several placements.
void add_grid_option(CLI::App& app, std::optional<std::string>& grid);
std::string placement_help_with_default();

/// Runs a program under mpirun: reads the options, starts MPI, calls body() and ends MPI. The callbacks of the options
/// run before MPI starts. Returns the exit status, which is the result of body(). Only process 0 prints help, version
/// and the one line of an error, whose exit status is 2. --version also names the MPI library and the compiler. If a
/// launcher started several processes but each is alone in MPI_COMM_WORLD, the program ends with an error. An error on
/// which all processes have agreed ends them all. Any other exception of body() may be on one process only, so it
/// aborts the job.
int run_under_mpi(CLI::App& app, int argc, char** argv, const std::function<int()>& body);

/// Returns whether this process has rank 0 in MPI_COMM_WORLD. Only this process prints.
bool is_first_process();

/// Calls print_output() on process 0. Does nothing if one of the outputs is `-`, because that output then needs
/// standard output alone. Throws on all processes if standard output cannot be written. All processes of MPI_COMM_WORLD
/// must call this.
void print_on_first(const std::vector<std::string>& outputs, const std::function<void()>& print);

/// Returns facts that make measurements comparable and repeatable: file_facts(), MPI library, compiler, number of
/// processes, command line, and the units of entries whose names do not say them.
nlohmann::ordered_json run_facts();

/// Writes the file of a program's --json option, if the option is given. All processes of MPI_COMM_WORLD must call each
/// function.
class JsonFile {
 public:
  /// Opens the output. With an empty path there is no output. Throws on all processes as files::Output does if the path
  /// cannot be written.
  explicit JsonFile(const std::string& path);

  /// Writes value() on process 0, if there was a path. Only process 0 calls value(), so it must not communicate.
  void write(const std::function<nlohmann::ordered_json()>& value);

 private:
  std::optional<files::Output> output_;  ///< exists on process 0
};

}  // namespace cubefold::program
