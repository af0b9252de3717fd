#include "link_rates.hpp"

#include <algorithm>
#include <cmath>

namespace cubefold {

namespace {

bool has_only_rate_one(const RouteTable& table) {
  return std::ranges::all_of(table.links(), [](const TableLink& link) { return link.rate == 1; });
}

}  // namespace

LinkRates::LinkRates(const Grid& grid) {
  const RouteTable* table = grid.route_table();
  if (table == nullptr || has_only_rate_one(*table)) return;
  for (const TableLink& link : table->links())
    rates_.push_back(static_cast<Whole>(std::llround(link.rate * unit_of_rates)));
}

Whole LinkRates::longest_time(const std::vector<Whole>& loads) const {
  Whole longest = 0;
  for (std::size_t link = 0; link < loads.size(); ++link)
    longest = std::max(longest, time(loads[link], link));
  return longest;
}

}  // namespace cubefold
