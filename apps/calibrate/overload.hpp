#pragma once

#include <optional>

#include "calibrate/bench.hpp"
#include "calibrate/queue_kind.hpp"
#include "cubefold/simulation/machine.hpp"

/// Compares the time in which up to 15 nodes send a message to node 0, all at once, with the time in which they do so
/// one after the other: about 1 or less if senders wait where queues are full or if queues hold everything, and more if
/// packets are dropped, which costs timeouts. Returns the medians of that size of 16 KiB to 1 MiB which took longest at
/// once over in turn, or nothing if no link and no port carries two of the messages. All processes must call this.
std::optional<Overload> measured_overload(const Bench& bench, const cubefold::Machine& machine);
