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
  std::size_t work_room = 0;  ///< real numbers, an even number of them
  std::size_t second_room = 0;
};

/// Real numbers that an array of the caller has, and whether input and output are one.
struct CallersArrays {
  std::size_t output_room;
  bool in_place;
};

/// The way through as few arrays as can be; it leaves the input as it is, unless that is the output, where it ends. Nothing
/// where there is none: a single move between two arrays that are one.
std::optional<Route> route_of(const std::vector<Move>& moves, const CallersArrays& arrays);

}  // namespace cubefold::fft
