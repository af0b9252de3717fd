#pragma once

#include <optional>

#include "cubefold/simulation/machine.hpp"

/// Returns what full queues do: they lose packets if messages to one node take at least 1.3 times as long as its links
/// need, and they lose nothing if the messages take less and the latency is below 10 us, which no TCP reaches. It is
/// unknown otherwise, because queues may be so long that they never were full, and without a measurement.
cubefold::Queues queue_kind(std::optional<double> overload_factor, double alpha_seconds);
