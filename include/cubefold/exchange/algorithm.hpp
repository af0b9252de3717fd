#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/schedule.hpp"

namespace cubefold {

/// The complete exchanges that there are, one header each.
enum class ExchangeAlgorithm : std::uint8_t {
  cc_cube,  ///< fewest start-ups; a block travels up to d times
  direct,   ///< every block travels once
};

inline constexpr std::array all_exchange_algorithms{ExchangeAlgorithm::cc_cube, ExchangeAlgorithm::direct};

/// `cc-cube`, `direct`.
CUBEFOLD_API std::string_view to_string(ExchangeAlgorithm algorithm);

/// Inverse of to_string(). Throws std::invalid_argument that quotes the text and lists the names.
CUBEFOLD_API ExchangeAlgorithm parse_exchange_algorithm(std::string_view text);

/// The algorithm's schedule for 2^d ranks, or one rank's part of it, made without the rest.
CUBEFOLD_API Schedule complete_exchange(ExchangeAlgorithm algorithm, int dimension_count);
CUBEFOLD_API Schedule complete_exchange_part(ExchangeAlgorithm algorithm, int dimension_count, Rank rank);

}  // namespace cubefold
