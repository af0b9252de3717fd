#pragma once

#include <optional>
#include "program/cli_fwd.hpp"

#include "program/program.hpp"

namespace cubefold::program {

/// Returns an error if the environment of a launcher says that several processes were started, but MPI_COMM_WORLD has
/// only this one, as under the mpirun of another MPI. Each process would then do the whole work and write the same
/// files. The first of them gets the line to print. MPI must be running. This call does not communicate.
std::optional<Answer> refusal_if_alone(const CLI::App& app);

}  // namespace cubefold::program
