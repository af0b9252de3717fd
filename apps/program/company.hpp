#pragma once

#include <optional>
#include "program/cli_fwd.hpp"

#include "program/program.hpp"

namespace cubefold::program {

/// A refusal where a launcher's environment says that several processes were started, but MPI_COMM_WORLD has this one
/// only, as under the mpirun of another MPI. Each would do the whole work, of nothing that was asked for, and write the
/// same files. The first of them has the line to print. MPI is running; local.
std::optional<Answer> refusal_if_alone(const CLI::App& app);

}  // namespace cubefold::program
