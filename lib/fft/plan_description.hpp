#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

#include "cubefold/fft/plan.hpp"
#include "cubefold/transform/layout.hpp"
#include "process_axes.hpp"
#include "transform/alternatives.hpp"
#include "transform/program.hpp"

namespace cubefold::fft {

/// Collective over `comm`, all processes of the axes. Returns a line for each stage, and lines on how each exchange
/// among more than one process is done, with its messages, bytes, method and predicted time; block_bytes has an entry
/// for each of these exchanges. Throws alike on all processes.
std::string stages_text(const Program& program, const std::vector<std::size_t>& block_bytes,
                        const ProcessAxes& axes, MPI_Comm comm);

/// Returns what is taken with all of its messages, why it is taken, and what else there is.
std::string choice_text(const Choice& choice);

/// Returns the box of a process of a line: all values of all dimensions but the first. Throws std::invalid_argument
/// where its points are no box.
LocalBox row_box(const Layout& layout, const Layout::Members& members);

/// Returns the box of a process of an array, whose dimensions are those of the layout. Throws std::invalid_argument
/// where a process has values of one that are not in a row.
LocalBox array_box(const Layout& layout, const Layout::Members& members);

}  // namespace cubefold::fft
