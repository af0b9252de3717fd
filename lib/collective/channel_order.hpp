#pragma once

#include <cstddef>

#include "cubefold/export.h"
#include "cubefold/schedule/schedule.hpp"

namespace cubefold {

/// Returns a rank's part of vector_parts() with the messages of each step in the order of their channels, that of their
/// first chunk. A process waits for messages in this order, so that a channel waits for those before it only: while the
/// process reduces what one channel has brought, messages of the others are under way. Both ends of all messages must
/// have this order. Costs O(messages log messages).
CUBEFOLD_API Schedule in_channel_order(Schedule part, std::size_t channel_count);

}  // namespace cubefold
