#pragma once

#include <cstddef>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/plan/exchange_plan.hpp"

namespace cubefold {

/// Returns the methods whose calls a program should compare for blocks of this size, each with the time that its model
/// predicts. These are the best `count` of the model. Where processors limit the rate of messages, a message in a
/// stream of messages takes as long to start as a message alone. If start-ups are more than a tenth of the best time
/// under this assumption, the best `count` others under it follow, and then `axes`, whose messages wait for others only
/// once for each axis. Methods that send more at once than queues hold are left out, and so are those but `axes` that a
/// model predicts to take more than 1.75 times its best. Costs as much as two calls of plan_exchange(), and throws what
/// it throws.
CUBEFOLD_API std::vector<ExchangeCandidate> measured_methods(const Placement& placement,
                                                             std::size_t block_bytes,
                                                             const ExchangeModel& model, std::size_t count);

/// Returns a method that does not forward blocks: `direct`, or `shifted` if `direct` takes long to plan.
ExchangeMethod non_forwarding_method(const Grid& grid);

}  // namespace cubefold
