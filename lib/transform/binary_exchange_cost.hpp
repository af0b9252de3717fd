#pragma once

#include <cstddef>

#include "binary_exchange.hpp"
#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"
#include "cubefold/plan/exchange_plan.hpp"

namespace cubefold::fft {

/// What the ranks of a binary exchange send; of all ranks those that send most.
struct BinaryExchangeCost {
  std::size_t startups = 0;     ///< messages
  std::size_t sent_points = 0;  ///< n m/P (whole) or n m/(2P) (half), and m/P more for a bit reversal
  double seconds = 0;           ///< local work apart
};

/// Returns how many points one behind the other packets of a stage do not cut. A stage sends column_count() such units.
CUBEFOLD_API std::size_t unit_points(const BinaryExchange& exchange);

/// Returns the start-ups and points of packet_count packets a stage. Cost O(1).
CUBEFOLD_API BinaryExchangeCost traffic_of(const BinaryExchange& exchange, std::size_t packet_count);

/// Returns the same with the time. One packet a stage takes alpha + D L tau for every stage, with D messages on its
/// busiest link. More: the steps of every iteration's task, alpha - gap + steps (gap + L tau). The bit reversal is
/// alpha + D L tau too. tau is that of the slowest axis. Throws std::invalid_argument for packet_count = 0 and unless
/// the placement has P ranks. O(n^2) TaskSchedules.
CUBEFOLD_API BinaryExchangeCost cost_of(const BinaryExchange& exchange, const Placement& placement,
                                        std::size_t point_bytes, std::size_t packet_count,
                                        const ExchangeModel& model);

/// Returns the packet count with the smallest cost_of(), the smallest of equal ones, among those whose messages stay
/// below 2^31 bytes. Throws std::invalid_argument unless the placement has P ranks.
CUBEFOLD_API std::size_t best_packet_count(const BinaryExchange& exchange, const Placement& placement,
                                           std::size_t point_bytes, const ExchangeModel& model);

/// Returns the smallest packet count whose messages stay below 2^31 bytes; where a unit is longer there is none, and
/// this is column_count().
CUBEFOLD_API std::size_t least_packet_count(const BinaryExchange& exchange, std::size_t point_bytes);

}  // namespace cubefold::fft
