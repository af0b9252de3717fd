#include "binary_exchange_cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>

#include "cubefold/topology/link_loads.hpp"
#include "schedule/pipelining.hpp"

namespace cubefold::fft {

namespace {

constexpr std::size_t longest_message_bytes = std::numeric_limits<std::int32_t>::max();

void require_ranks(const BinaryExchange& exchange, const Placement& placement) {
  if (placement.rank_count() == exchange.shape().rank_count) return;
  throw std::invalid_argument(fmt::format("BinaryExchange of {} ranks on a placement of {}",
                                          exchange.shape().rank_count, placement.rank_count()));
}

double slowest_tau(const ExchangeModel& model) {
  return *std::max_element(model.tau_seconds_per_byte.begin(), model.tau_seconds_per_byte.end());
}

/// Returns the messages of the bit reversal on its busiest link, but at least 1, because a port sends one message.
double reversal_messages(const BinaryExchange& exchange, const Placement& placement, Tie tie) {
  LinkLoads loads(placement.grid(), tie);
  for (std::uint32_t rank = 0; rank < placement.rank_count(); ++rank)
    loads.add(placement.node_of(Rank{rank}), placement.node_of(exchange.bit_reversed(Rank{rank})));
  return static_cast<double>(std::max<std::uint64_t>(loads.busiest(), 1));
}

double single_seconds(const BinaryExchange& exchange, const TaskStepCounts& counts, double bytes,
                      const ExchangeModel& model) {
  double seconds = 0;
  for (int stage = 0; stage < exchange.stage_count(); ++stage) {
    const auto messages = static_cast<double>(counts.of({exchange.dimension_of(stage), 1}));
    seconds += model.alpha_seconds + messages * bytes * slowest_tau(model);
  }
  return seconds;
}

// The stages may have descending dimensions. Then the iterations have the same tasks in another order, and the same
// total time.
PipelineCosts pipeline_costs(const ExchangeModel& model) {
  return {model.gap_seconds, slowest_tau(model), model.alpha_seconds - model.gap_seconds};
}

PipelinedMessage message_of_stage(const BinaryExchange& exchange, std::size_t point_bytes) {
  return {exchange.column_count(), unit_points(exchange) * point_bytes};
}

double stages_seconds(const BinaryExchange& exchange, const TaskStepCounts& counts, std::size_t point_bytes,
                      std::size_t packet_count, const ExchangeModel& model) {
  const PipelinedMessage message = message_of_stage(exchange, point_bytes);
  if (packet_count == 1) {
    return single_seconds(exchange, counts, static_cast<double>(message.unit_count * message.unit_bytes),
                          model);
  }
  return pipeline_seconds(counts, message, pipeline_costs(model), packet_count);
}

}  // namespace

std::size_t unit_points(const BinaryExchange& exchange) {
  return std::max<std::size_t>(exchange.row_count() / 2, 1);
}

BinaryExchangeCost traffic_of(const BinaryExchange& exchange, std::size_t packet_count) {
  const auto stages = static_cast<std::size_t>(exchange.stage_count());
  const std::size_t reversals = exchange.has_bit_reversal() ? 1 : 0;
  return {stages * packet_count + reversals,
          stages * exchange.column_count() * unit_points(exchange) + reversals * exchange.local_count()};
}

BinaryExchangeCost cost_of(const BinaryExchange& exchange, const Placement& placement,
                           std::size_t point_bytes, std::size_t packet_count, const ExchangeModel& model) {
  require_ranks(exchange, placement);
  if (packet_count == 0) throw std::invalid_argument("cost_of: a stage of 0 packets");
  const TaskStepCounts counts(placement, model.network.ports, model.network.tie);
  BinaryExchangeCost cost = traffic_of(exchange, packet_count);
  cost.seconds = stages_seconds(exchange, counts, point_bytes, packet_count, model);
  if (exchange.has_bit_reversal()) {
    const auto bytes = static_cast<double>(exchange.local_count() * point_bytes);
    const double messages = reversal_messages(exchange, placement, model.network.tie);
    cost.seconds += model.alpha_seconds + messages * bytes * slowest_tau(model);
  }
  return cost;
}

std::size_t best_packet_count(const BinaryExchange& exchange, const Placement& placement,
                              std::size_t point_bytes, const ExchangeModel& model) {
  require_ranks(exchange, placement);
  const TaskStepCounts counts(placement, model.network.ports, model.network.tie);
  const auto best = best_packet_count(counts, message_of_stage(exchange, point_bytes), pipeline_costs(model));
  const bool cut = stages_seconds(exchange, counts, point_bytes, best.packet_count, model) <
                   stages_seconds(exchange, counts, point_bytes, 1, model);
  return std::max<std::size_t>(cut ? best.packet_count : 1, least_packet_count(exchange, point_bytes));
}

std::size_t least_packet_count(const BinaryExchange& exchange, std::size_t point_bytes) {
  const std::size_t unit_bytes = unit_points(exchange) * point_bytes;
  const std::size_t units = std::max<std::size_t>(longest_message_bytes / unit_bytes, 1);
  return (exchange.column_count() + units - 1) / units;
}

}  // namespace cubefold::fft
