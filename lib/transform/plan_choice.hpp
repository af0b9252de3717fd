#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "binary_exchange.hpp"
#include "cubefold/topology/grid.hpp"
#include "cubefold/transform/plan_options.hpp"
#include "program.hpp"

namespace cubefold::fft {

/// Local. Throws std::invalid_argument for lengths and options that do not go together: lengths of 0, more than 2^62
/// points, an empty batch, options of one dimension for an array, or the reverse.
void require_fit(const std::vector<std::size_t>& lengths, const PlanOptions& options);

/// Returns whether the program is a convolution with a chirp.
bool is_bluestein(const Program& program);

/// Returns the program of a line. An automatic algorithm is transposed, or bluestein where the length needs it. Throws
/// std::invalid_argument where the length needs bluestein and transposed is asked for.
Program line_program(std::size_t length, std::size_t process_count, const PlanOptions& options,
                     Algorithm algorithm);

/// Returns the binary exchange of all points (binary_exchange) or of halves (half_exchange) that takes a line from the
/// options' input to their output, in the places that these distributions have. Returns nothing where there is none.
std::optional<BinaryExchange> fitting_butterflies(std::size_t point_count, std::size_t process_count,
                                                  const PlanOptions& options, Algorithm algorithm);

/// Returns the same, and throws std::invalid_argument with the rule that it breaks where there is none.
BinaryExchange required_butterflies(std::size_t point_count, std::size_t process_count,
                                    const PlanOptions& options, Algorithm algorithm);

}  // namespace cubefold::fft
