#pragma once

#include "cubefold/mpi/virtual_comm.hpp"
#include "fft/options.hpp"
#include "fft/report.hpp"

namespace cubefold::fft_program {

/// Collective: plans, reads or makes the input, transforms, checks, and writes what is to be written, each step
/// timed; files get their names at the end of all. With --explain it plans only. Throws on all processes alike what
/// does not fit.
Report run_transform(const mpi::VirtualComm& comm, const Options& options);

}  // namespace cubefold::fft_program
