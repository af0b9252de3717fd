#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

#include "cubefold/fft/plan.hpp"
#include "cubefold/transform/layout.hpp"
#include "process_axes.hpp"
#include "transform/program.hpp"

namespace cubefold::fft {

/// Returns one line for each stage, and further lines for each exchange among several processes, with its messages,
/// bytes, method and predicted time. block_bytes has one entry for each of these exchanges. All processes of the axes
/// must call this; they are the processes of `comm`. Throws on all processes if it throws on one.
std::string stages_text(const Program& program, const std::vector<std::size_t>& block_bytes,
                        const ProcessAxes& axes, MPI_Comm comm);

/// Returns the box of a process in a one-dimensional transform. Throws std::invalid_argument if its points do not form
/// a box; they do if it has all values of all dimensions but the first.
LocalBox row_box(const Layout& layout, const Layout::Members& members);

/// Returns the dimensions of an array in the order of a layout's memory, the slowest first.
std::vector<std::size_t> memory_order(const Layout& layout);

/// Returns the length of each dimension of an array, whose dimensions are those of the layout.
std::vector<std::size_t> array_lengths(const Layout& layout);

/// Returns the distance between neighbours in memory in each dimension of an array, which are those of array_box(),
/// which throws if there is no box.
std::vector<std::size_t> array_strides(const Layout& layout, const Layout::Members& members);

/// Returns the box of a process in an array, whose dimensions are those of the layout. Throws std::invalid_argument if
/// a process has values of one dimension that are not consecutive.
LocalBox array_box(const Layout& layout, const Layout::Members& members);

}  // namespace cubefold::fft
