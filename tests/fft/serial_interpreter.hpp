#pragma once

#include <cstddef>
#include <vector>

#include "cubefold/fft/program.hpp"
#include "numbers.hpp"

namespace cubefold::fft {

/// Every process's coordinates on the process axes.
std::vector<Layout::Members> all_members(const std::vector<std::size_t>& axis_members);

/// What all processes hold, in the order of all_members().
using Memories = std::vector<Numbers>;

/// The points where the layout has them; padding is NaN.
Memories dealt(const Numbers& points, const Layout& layout);

/// Inverse of dealt().
Numbers gathered(const Memories& memories, const Layout& layout);

/// Runs the program by the meaning of its stages, on all processes, in long double, by the definition of the transform digit
/// by digit: the oracle of everything that runs programs. Real points are complex numbers without imaginary part here, and
/// exchanges go through packed blocks that are full of NaN before.
Numbers interpreted(const Program& program, const Numbers& input);

/// One stage's doing alone.
Memories after_exchange(const ExchangeStage& stage, const Memories& before);

}  // namespace cubefold::fft
