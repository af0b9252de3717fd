#include "exchange_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>

namespace cubefold {

Schedule ExchangeParts::part(Rank rank) const {
  if (label(rank) >= rank_count) {
    throw std::invalid_argument(
        fmt::format("exchange_part: rank {} is not below {}", label(rank), rank_count));
  }
  Schedule own{rank_count, std::vector<Step>(step_count)};
  PartBuilder builder(own, rank, true);
  add_messages(builder);
  for (Step& step : own.steps) {
    std::stable_sort(step.begin(), step.end(),
                     [](const Message& a, const Message& b) { return a.from < b.from; });
  }
  return own;
}

Schedule ExchangeParts::whole() const {
  Schedule all{rank_count, std::vector<Step>(step_count)};
  for (std::size_t r = 0; r < rank_count; ++r) {
    PartBuilder builder(all, static_cast<Rank>(r), false);
    add_messages(builder);
  }
  return all;
}

}  // namespace cubefold
