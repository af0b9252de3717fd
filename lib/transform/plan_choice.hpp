#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "binary_exchange.hpp"
#include "cubefold/topology/grid.hpp"
#include "cubefold/transform/plan_options.hpp"
#include "program.hpp"

namespace cubefold::fft {

/// Throws std::invalid_argument for lengths and options that exclude each other: lengths of 0, more than 2^62 points,
/// an empty batch, options of one dimension for an array, or options of arrays for one dimension. Does not communicate.
void require_fit(const std::vector<std::size_t>& lengths, const PlanOptions& options);

/// Returns whether the program uses Bluestein's algorithm.
bool is_bluestein(const Program& program);

/// Returns the program of a one-dimensional transform. An automatic algorithm is transposed, or bluestein if the length
/// needs it. Throws std::invalid_argument if the algorithm is transposed but the length needs bluestein.
Program line_program(std::size_t length, std::size_t process_count, const PlanOptions& options,
                     Algorithm algorithm);

/// Returns the binary exchange of whole parts (binary_exchange) or of halves (half_exchange) from the input to the
/// output distribution of the options, with points in the places that these distributions have. Returns nothing if
/// there is none.
std::optional<BinaryExchange> fitting_butterflies(std::size_t point_count, std::size_t process_count,
                                                  const PlanOptions& options, Algorithm algorithm);

/// Returns fitting_butterflies(). Throws std::invalid_argument with the violated rule if there is none.
BinaryExchange required_butterflies(std::size_t point_count, std::size_t process_count,
                                    const PlanOptions& options, Algorithm algorithm);

}  // namespace cubefold::fft
