#include "cubefold/schedule/schedule.hpp"

#include <algorithm>
#include <iterator>

namespace cubefold {

Schedule part_of(const Schedule& schedule, Rank rank) {
  Schedule part{schedule.rank_count, {}};
  for (const Step& step : schedule.steps) {
    Step& own = part.steps.emplace_back();
    std::copy_if(step.begin(), step.end(), std::back_inserter(own),
                 [&](const Message& message) { return message.from == rank || message.to == rank; });
  }
  return part;
}

}  // namespace cubefold
