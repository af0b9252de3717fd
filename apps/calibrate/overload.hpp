#pragma once

#include <optional>

#include "calibrate/bench.hpp"
#include "calibrate/link_times.hpp"
#include "cubefold/simulation/machine.hpp"

/// Compares the time in which up to 15 nodes send to node 0, all at once, with the time in which its links can carry
/// these messages: about 1 if senders wait where queues are full or if queues hold everything, and more if packets are
/// dropped, which costs timeouts. The messages have 16 KiB to 1 MiB; the size with the greatest factor counts. Returns
/// nothing if no link and no port carries two of the messages. All processes must call this.
std::optional<Slowdown> slowdown_of_overload(const Bench& bench, const cubefold::Machine& machine);
