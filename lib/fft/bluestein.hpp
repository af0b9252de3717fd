#pragma once

#include <cstddef>

#include "cubefold/fft/programs.hpp"
#include "factors.hpp"

namespace cubefold::fft {

/// Transform of any length as a convolution with a chirp, in cyclic order: two exchanges, and one more for each end in
/// blocks. Scrambled order is cyclic here. Does not know block_cyclic.
Program bluestein_program(std::size_t point_count, std::size_t process_count, const LineOptions& options);

/// The factors of the convolution's length.
Factors bluestein_factors(std::size_t point_count, std::size_t process_count);

}  // namespace cubefold::fft
