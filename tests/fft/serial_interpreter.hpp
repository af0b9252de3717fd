#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include "cubefold/fft/program.hpp"

namespace cubefold::fft {

using Number = std::complex<long double>;
using Numbers = std::vector<Number>;

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

/// exp(-2 pi i numerator / denominator), conjugate for the inverse.
Number root(std::size_t numerator, std::size_t denominator, Transform transform);

/// By the definition, of the whole line; inverse: divided by the points.
Numbers dft(const Numbers& points, Transform transform);

/// ||a - b|| / max(||b||, 1e-300); infinite for NaN anywhere.
long double distance(const Numbers& a, const Numbers& b);

Numbers random_numbers(std::size_t count, unsigned seed);

}  // namespace cubefold::fft
