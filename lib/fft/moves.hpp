#pragma once

#include <cstddef>
#include <variant>
#include <vector>

#include "block_shape.hpp"
#include "cubefold/fft/program.hpp"
#include "pass.hpp"

namespace cubefold::fft {

/// All members of an axis exchange blocks, from one array to another.
struct BlockMove {
  int axis = 0;
  std::size_t block_count = 0;
};

/// A stage that works on points one by one, as their layout has them.
struct PointMove {
  std::size_t stage = 0;
};

/// The points go to another array as they are.
struct CopyMove {};

/// A step from one array to the next, of one process.
struct Move {
  std::variant<PassShape, BlockMove, PointMove, CopyMove> what;
  std::size_t room = 0;  ///< real numbers that the array written to has to have
  bool can_be_in_place = false;
};

/// What all processes have to choose alike to make moves of a program.
struct BlockOrders {
  std::vector<std::vector<std::size_t>>
      orders;  ///< of each exchange stage: digits of the layout before, slowest first
  std::vector<std::vector<std::size_t>> rooms;  ///< largest shared_counts()
};

/// The orders of digits that are worth a try for an exchange, which is stage `number`: as before it, as after it, and with
/// the digit last that is transformed before or after it.
std::vector<std::vector<std::size_t>> block_orders(const Program& program, std::size_t number);

/// A process's moves: transforms read from the blocks of the exchange before them, and write into those of the one behind
/// them.
std::vector<Move> moves_of(const Program& program, const Layout::Members& members, std::size_t batch,
                           const BlockOrders& blocks);

/// Real numbers that a process's points take, of so many arrays.
std::size_t room_of(const Layout& layout, Element element, const Layout::Members& members, std::size_t batch);

}  // namespace cubefold::fft
