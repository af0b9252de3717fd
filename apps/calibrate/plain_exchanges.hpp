#pragma once

#include <vector>

#include "calibrate/bench.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "cubefold/simulation/machine.hpp"

/// Measures MPI_Alltoall and `linear` among all processes for blocks of 16 B to 16 KiB. All processes must call this.
std::vector<cubefold::PlainExchangeTimes> measured_plain_exchanges(const Bench& bench,
                                                                   const cubefold::mpi::VirtualComm& comm);

/// Prints a row for each size.
void print_plain_exchanges(const cubefold::Machine& machine);
