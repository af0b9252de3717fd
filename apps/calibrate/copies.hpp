#pragma once

#include "calibrate/bench.hpp"

/// Measures the seconds in which a process copies a byte between buffers that no cache holds, while all processes do
/// the same. All processes must call this.
Estimate measured_copy(const Bench& bench);
