#pragma once

#include <cstddef>
#include <optional>

#include "cubefold/fft/program.hpp"
#include "factors.hpp"

namespace cubefold::fft {

/// The transform that one process does alone.
Program one_process_program(std::size_t point_count, Transform transform);

/// line_factors() unless the processes' shares are so uneven that Bluestein's algorithm is for the length.
std::optional<Factors> suitable_factors(std::size_t point_count, std::size_t process_count,
                                        const FactorRules& rules);

/// Throws std::invalid_argument for 0 points or processes.
void check_line(std::size_t point_count, std::size_t process_count);

}  // namespace cubefold::fft
