#pragma once

#include <cstddef>
#include <vector>

#include "cubefold/fft/layout.hpp"
#include "cubefold/fft/program.hpp"
#include "moves.hpp"
#include "route.hpp"

namespace cubefold::fft {

/// A program as one process does it, with what all processes know of each of its exchanges.
struct ProcessProgram {
  const Program& program;
  const Layout::Members& members;
  std::size_t batch;
  std::vector<std::vector<std::size_t>> rooms;  ///< of each exchange: largest_shares()
  std::vector<bool> in_packets;                 ///< each exchange among more than one
};

/// A process's moves, and the arrays that they go through.
struct Way {
  std::vector<Move> moves;
  Route route;
};

/// With a copy first where there is no other way.
Way way_of(const ProcessProgram& here, const BlockOrders& orders, bool in_place);

/// What passes take of the memory, as memory_cost() has it. What travels in packets should be made part by part, while
/// others are on their way: where it is not, that costs 10 more.
double cost_of(const std::vector<Move>& moves, const std::vector<bool>& in_packets);

}  // namespace cubefold::fft
