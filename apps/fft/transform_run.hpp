#pragma once

#include "cubefold/mpi/virtual_comm.hpp"
#include "fft/options.hpp"
#include "fft/report.hpp"

namespace cubefold::fft_program {

/// Plans, reads or makes the input, transforms, checks, and writes the results. Each step is timed. Output files get
/// their names at the very end. With --explain this only plans. Throws on all processes if the options and the input do
/// not fit. All processes must call this.
Report run_transform(const mpi::VirtualComm& comm, const Options& options);

}  // namespace cubefold::fft_program
