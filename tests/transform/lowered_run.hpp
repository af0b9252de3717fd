#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "numbers.hpp"
#include "transform/program.hpp"

namespace cubefold::fft {

/// The value of numbers that have not been written.
inline const Number poison{std::numeric_limits<long double>::quiet_NaN(),
                           std::numeric_limits<long double>::quiet_NaN()};

/// Returns the coordinates of all processes on the process axes. The first axis is fastest.
std::vector<Layout::Members> all_members(const std::vector<std::size_t>& axis_members);

/// The memories of all processes, in the order of all_members().
using Memories = std::vector<Numbers>;

/// Returns the memories in which each point is where the layout has it. Padding is NaN.
Memories dealt(const Numbers& points, const Layout& layout);

/// Returns the points that dealt() puts into these memories.
Numbers gathered(const Memories& memories, const Layout& layout);

/// Describes a form in which a program can be lowered.
struct LoweredForm {
  bool in_place = false;
  bool in_packets = false;  ///< whether every exchange runs in packets
  bool in_slabs = false;    ///< whether points count as so large that fused stages run slab by slab

  /// The points of a process in a tile, about, if all processes share windows of memory.
  std::size_t tile_points = 0;
  bool takes_squares = false;
  std::size_t threads = 1;  ///< threads of each process
};

/// The forms whose results are the same bit by bit.
inline constexpr std::array<LoweredForm, 6> lowered_forms{{{},
                                                           {.in_place = true},
                                                           {.in_packets = true},
                                                           {.in_place = true, .in_packets = true},
                                                           {.in_slabs = true},
                                                           {.in_place = true, .in_slabs = true}}};

/// The forms in which exchanges go through windows and transforms are joined, also with threads. Most tiles are small.
inline constexpr std::array<LoweredForm, 11> window_forms{
    {{.tile_points = 5},
     {.in_place = true, .tile_points = 5},
     {.tile_points = 100},
     {.in_place = true, .tile_points = 100},
     {.tile_points = 5, .takes_squares = true},
     {.in_place = true, .tile_points = 5, .takes_squares = true},
     {.tile_points = 100, .takes_squares = true},
     {.in_place = true, .tile_points = 100, .takes_squares = true},
     {.tile_points = 50, .threads = 2},
     {.tile_points = 5, .takes_squares = true, .threads = 3},
     {.in_place = true, .tile_points = 50, .takes_squares = true, .threads = 2}}};

/// Lowers the program for all processes, runs it in this process, and returns their outputs. FFTW and pointwise stages
/// run in double precision, and exchanges copy between the buffers of the processes. Numbers that have not been written
/// are NaN.
Memories run_lowered(const Program& program, const LoweredForm& form, const Memories& input);

/// Returns the points of run_lowered() for the points `input`.
Numbers lowered_result(const Program& program, const LoweredForm& form, const Numbers& input);

/// Returns the result in one of lowered_forms or window_forms. Successive calls use successive forms.
Numbers lowered_result(const Program& program, const Numbers& input);

}  // namespace cubefold::fft
