#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "calibrate/bench.hpp"

/// The size of message that rates are measured with on this axis: long beside what a message costs, short beside the
/// time of a measurement. Collective.
std::size_t long_message_bytes(const Bench& bench, int axis);

/// Seconds per byte of one axis: all neighbours of a class stream long messages at the same time, one way. The
/// difference of a long and a short stream counts, so that neither latency nor what a link lets pass at once does. The
/// slowest class, and of each the slowest pair. Collective; requires links on the axis.
Estimate measured_tau(const Bench& bench, int axis);

/// Seconds that a message costs in a stream besides its bytes' tau: the most of small and smaller ones, at least 0.
/// Collective; requires links on the axis.
Estimate measured_gap(const Bench& bench, int axis, double tau);
