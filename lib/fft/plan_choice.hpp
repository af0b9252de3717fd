#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "cubefold/fft/binary_exchange.hpp"
#include "cubefold/fft/plan_options.hpp"
#include "cubefold/fft/program.hpp"
#include "cubefold/topology/grid.hpp"

namespace cubefold::fft {

/// Throws std::invalid_argument for lengths and options that do not go together. Local.
void require_fit(const std::vector<std::size_t>& lengths, const PlanOptions& options);

bool is_bluestein(const Program& program);

/// Automatic: transposed, or bluestein where that needs it. Throws std::invalid_argument for transposed where it does.
Program line_program(std::size_t length, std::size_t process_count, const PlanOptions& options,
                     Algorithm algorithm);

/// The binary exchange of all points (binary_exchange) or of halves (half_exchange) that takes a line from the options'
/// input to their output, in the places that these distributions have. Nothing where there is none.
std::optional<BinaryExchange> fitting_butterflies(std::size_t point_count, std::size_t process_count,
                                                  const PlanOptions& options, Algorithm algorithm);

/// The same; throws std::invalid_argument with the rule that it breaks where there is none.
BinaryExchange required_butterflies(std::size_t point_count, std::size_t process_count,
                                    const PlanOptions& options, Algorithm algorithm);

}  // namespace cubefold::fft
