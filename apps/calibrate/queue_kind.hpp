#pragma once

#include <optional>

#include "cubefold/simulation/machine.hpp"

/// Holds the times in which the same messages from many nodes arrive at one.
struct Overload {
  double at_once_seconds;
  double in_turn_seconds;  ///< one message after the other

  double factor() const { return at_once_seconds / in_turn_seconds; }
  double excess_seconds() const { return at_once_seconds - in_turn_seconds; }
};

/// Returns what full queues do. They lose packets if messages take at least 1.3 times as long at once as in turn, and
/// at least 1 ms longer: a timeout takes more. They lose nothing otherwise, if the latency is below 10 us, which no TCP
/// reaches. It is unknown in other cases, because queues may be so long that they never were full, and without a
/// measurement.
cubefold::Queues queue_kind(const std::optional<Overload>& overload, double alpha_seconds);
