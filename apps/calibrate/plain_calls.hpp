#pragma once

#include "calibrate/bench.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "cubefold/simulation/machine.hpp"

/// Measures MPI_Alltoall and `linear` for blocks of 16 B to 16 KiB, and MPI_Allreduce of doubles for vectors of 256 B
/// to 1 MiB, and adds the times to the machine. All processes must call this.
void measure_plain_calls(const Bench& bench, const cubefold::mpi::VirtualComm& comm,
                         cubefold::Machine& machine);

/// Prints a row for each size.
void print_plain_calls(const cubefold::Machine& machine);
