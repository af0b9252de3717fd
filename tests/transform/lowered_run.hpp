#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <vector>

#include "numbers.hpp"
#include "transform/program.hpp"

namespace cubefold::fft {

/// Stands where nothing has been written.
inline const Number poison{std::numeric_limits<long double>::quiet_NaN(),
                           std::numeric_limits<long double>::quiet_NaN()};

/// Returns every process's coordinates on the process axes.
std::vector<Layout::Members> all_members(const std::vector<std::size_t>& axis_members);

/// What all processes hold, in the order of all_members().
using Memories = std::vector<Numbers>;

/// Puts the points where the layout has them; padding is NaN.
Memories dealt(const Numbers& points, const Layout& layout);

/// Inverse of dealt().
Numbers gathered(const Memories& memories, const Layout& layout);

/// The forms in which a program can be lowered.
struct LoweredForm {
  bool in_place = false;
  bool in_packets = false;  ///< every exchange
  bool in_slabs = false;    ///< as if points took so much memory that fused stages run slab by slab
};
inline constexpr std::array<LoweredForm, 6> lowered_forms{{{},
                                                           {.in_place = true},
                                                           {.in_packets = true},
                                                           {.in_place = true, .in_packets = true},
                                                           {.in_slabs = true},
                                                           {.in_place = true, .in_slabs = true}}};

/// Lowers the program for all processes and runs it in this one: FFTW and pointwise stages really run, in double
/// precision, and exchanges are copies between the processes' buffers. What has not been written is NaN.
Memories run_lowered(const Program& program, const LoweredForm& form, const Memories& input);
Numbers lowered_result(const Program& program, const LoweredForm& form, const Numbers& input);

/// The same in one of the forms, which take turns from call to call.
Numbers lowered_result(const Program& program, const Numbers& input);

}  // namespace cubefold::fft
