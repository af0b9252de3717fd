#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "moves.hpp"

namespace cubefold::fft {

/// Arrays that moves go between.
enum class Array : std::uint8_t { input, output, work, second_work };

/// Where the points are after each move.
struct Route {
  std::vector<Array> after;
  std::size_t work_room = 0;  ///< complex numbers
  std::size_t second_room = 0;
};

/// Complex numbers that an array of the caller has, and whether input and output are one.
struct CallersArrays {
  std::size_t output_room;
  bool in_place;
};

/// The way through as few arrays as can be; it leaves the input as it is, unless that is the output, where it ends. At least one
/// move. Every way exists.
Route route_of(const std::vector<Move>& moves, const CallersArrays& arrays);

}  // namespace cubefold::fft
