#pragma once

#include <cstddef>

#include "binary_exchange.hpp"
#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"
#include "cubefold/plan/exchange_plan.hpp"

namespace cubefold::fft {

/// The messages of a binary exchange, for the ranks that send most.
struct BinaryExchangeCost {
  std::size_t startups = 0;     ///< number of messages
  std::size_t sent_points = 0;  ///< n m/P (whole) or n m/(2P) (half), plus m/P for a bit reversal
  double seconds = 0;           ///< time without local work; 0 if no time is computed
};

/// Returns the number of points in a unit. A stage sends column_count() units, and packets do not split a unit.
CUBEFOLD_API std::size_t unit_points(const BinaryExchange& exchange);

/// Returns the start-ups and points with packet_count packets in each stage. Cost O(1).
CUBEFOLD_API BinaryExchangeCost traffic_of(const BinaryExchange& exchange, std::size_t packet_count);

/// Returns the start-ups, the points and the time. With one packet, a stage takes alpha + D L tau, where L is the bytes
/// of a message and D the number of messages on the busiest link. With more packets, an iteration takes alpha - gap +
/// steps (gap + L tau), where L is the bytes of a packet and steps is the number of steps of its task. The bit reversal
/// takes alpha + D L tau too. tau is that of the slowest axis. Throws std::invalid_argument for packet_count = 0, or if
/// the placement does not have P ranks. Costs O(n^2) TaskSchedules.
CUBEFOLD_API BinaryExchangeCost cost_of(const BinaryExchange& exchange, const Placement& placement,
                                        std::size_t point_bytes, std::size_t packet_count,
                                        const ExchangeModel& model);

/// Returns the packet count with the smallest cost_of(), and the smallest of equal ones, but no fewer packets than
/// least_packet_count(). Throws std::invalid_argument if the placement does not have P ranks.
CUBEFOLD_API std::size_t best_packet_count(const BinaryExchange& exchange, const Placement& placement,
                                           std::size_t point_bytes, const ExchangeModel& model);

/// Returns the smallest packet count for which messages are below 2^31 bytes. Returns column_count() if one unit is
/// longer.
CUBEFOLD_API std::size_t least_packet_count(const BinaryExchange& exchange, std::size_t point_bytes);

}  // namespace cubefold::fft
