#pragma once

#include <cstddef>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"
#include "cubefold/fft/binary_exchange.hpp"
#include "cubefold/plan/exchange_plan.hpp"

namespace cubefold::fft {

/// What a binary exchange sends, of the ranks that send most.
struct BinaryExchangeCost {
  std::size_t startups = 0;     ///< messages
  std::size_t sent_points = 0;  ///< n m/P (whole) or n m/(2P) (half), and m/P more for a bit reversal
  double seconds = 0;           ///< local work apart
};

/// Points that packets of a stage do not cut, one behind the other: a stage sends column_count() units.
CUBEFOLD_API std::size_t unit_points(const BinaryExchange& exchange);

/// Start-ups and points of packet_count packets a stage. O(1).
CUBEFOLD_API BinaryExchangeCost traffic_of(const BinaryExchange& exchange, std::size_t packet_count);

/// The same with the time. One packet a stage: alpha + D L tau for every stage, with D messages on its busiest link.
/// More: the steps of every iteration's task, alpha - gap + steps (gap + L tau). The bit reversal is alpha + D L tau
/// too. tau is that of the slowest axis. Throws std::invalid_argument for packet_count = 0 and unless the placement has
/// P ranks. O(n^2) TaskSchedules.
CUBEFOLD_API BinaryExchangeCost cost_of(const BinaryExchange& exchange, const Placement& placement,
                                        std::size_t point_bytes, std::size_t packet_count,
                                        const ExchangeModel& model);

/// The packet count with the smallest cost_of(), the smallest of equal ones, among those whose messages stay below 2^31
/// bytes. Throws std::invalid_argument unless the placement has P ranks.
CUBEFOLD_API std::size_t best_packet_count(const BinaryExchange& exchange, const Placement& placement,
                                           std::size_t point_bytes, const ExchangeModel& model);

/// The smallest whose messages stay below 2^31 bytes; where a unit is longer there is none, and this is column_count().
CUBEFOLD_API std::size_t least_packet_count(const BinaryExchange& exchange, std::size_t point_bytes);

}  // namespace cubefold::fft
