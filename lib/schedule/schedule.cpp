#include "cubefold/schedule/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

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

Schedule direct_step(std::span<const Rank> destinations) {
  Schedule schedule{destinations.size(), std::vector<Step>(1)};
  for (std::size_t r = 0; r < destinations.size(); ++r) {
    const auto from = static_cast<Rank>(r);
    const Rank to = destinations[r];
    if (label(to) >= destinations.size()) {
      throw std::invalid_argument(fmt::format("direct_step: destination {} of rank {} is not below {}",
                                              label(to), r, destinations.size()));
    }
    if (to != from) schedule.steps.front().push_back({from, to, {{from, to}}});
  }
  return schedule;
}

}  // namespace cubefold
