#include "channel_order.hpp"

#include <algorithm>

namespace cubefold {

Schedule in_channel_order(Schedule part, std::size_t channel_count) {
  for (Step& step : part.steps) {
    std::ranges::stable_sort(step, {}, [&](const Message& message) {
      return label(message.blocks.front().source) % channel_count;
    });
  }
  return part;
}

}  // namespace cubefold
