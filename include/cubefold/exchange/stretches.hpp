#pragma once

#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/exchange/method.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/pacing.hpp"

namespace cubefold {

/// What a method costs, without its schedule: its steps in stretches, each with the blocks that its busiest link or port
/// carries. Added up they are what simulate_steps() gives, with one port exactly, but for axis-rotated on unequal
/// extents, whose steps all count as those of the largest messages, and cc-cube with packets of unequal size, likewise.
/// With all ports bruck and linear count more start-ups than a link has. Throws std::invalid_argument as
/// exchange_schedule() does. O(p log p) at most, and O(p^2) for `shifted`.
CUBEFOLD_API std::vector<Stretch> exchange_stretches(const ExchangeMethod& method, const Placement& placement,
                                                     const NetworkRules& rules);

/// Blocks that a rank sends in all, on average. Throws as exchange_stretches() does. O(method's phases).
CUBEFOLD_API double sent_blocks(const ExchangeMethod& method, const Placement& placement);

}  // namespace cubefold
