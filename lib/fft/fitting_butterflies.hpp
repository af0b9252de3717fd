#pragma once

#include <cstddef>
#include <optional>

#include "cubefold/fft/binary_exchange.hpp"
#include "cubefold/fft/plan_options.hpp"

namespace cubefold::fft {

/// The binary exchange of all points (binary_exchange) or of halves (half_exchange) that takes a line from the options'
/// input to their output, in the places that these distributions have. Nothing where there is none.
std::optional<BinaryExchange> fitting_butterflies(std::size_t point_count, std::size_t process_count,
                                                  const PlanOptions& options, Algorithm algorithm);

/// The same; throws std::invalid_argument with the rule that it breaks where there is none.
BinaryExchange required_butterflies(std::size_t point_count, std::size_t process_count,
                                    const PlanOptions& options, Algorithm algorithm);

}  // namespace cubefold::fft
