#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "cubefold/fft/layout.hpp"
#include "cubefold/fft/program.hpp"
#include "moves.hpp"
#include "way.hpp"

namespace cubefold::fft {

/// Places of exchanges among the stages, ascending.
std::vector<std::size_t> exchange_stages(const Program& program);

/// Collective. Of each exchange: shared_counts() of the process that has most. Throws alike on all processes, as does
/// best_orders().
std::vector<std::vector<std::size_t>> largest_shares(const Program& program, const Layout::Members& members,
                                                     MPI_Comm comm);

/// Collective. Orders of digits in blocks, alike on all processes: of those worth a try the ones that cost least, in memory
/// first and in cost_of() then, on the process where they cost most. Where combinations are more than 300, some are not
/// looked at.
BlockOrders best_orders(const ProcessProgram& here, bool in_place, MPI_Comm comm);

}  // namespace cubefold::fft
