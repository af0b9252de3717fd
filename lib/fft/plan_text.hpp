#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

#include "cubefold/fft/alternatives.hpp"
#include "cubefold/fft/program.hpp"
#include "process_axes.hpp"

namespace cubefold::fft {

/// Collective over `comm`, all processes of the axes. Stages, and how each exchange among more than one is done;
/// block_bytes: of each of these. Throws alike on all processes.
std::string stages_text(const Program& program, const std::vector<std::size_t>& block_bytes,
                        const ProcessAxes& axes, MPI_Comm comm);

/// What is taken with all of its messages, why, and what else there is.
std::string choice_text(const Choice& choice);

}  // namespace cubefold::fft
