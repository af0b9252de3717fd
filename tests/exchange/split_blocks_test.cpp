// Compares the steps of whole blocks with those of halves of blocks in the direct exchange.

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "cubefold/topology/route.hpp"
#include "exchange/exchange_checks.hpp"
#include "schedule/item_placing.hpp"
#include "support/sanitizers.hpp"

namespace cubefold {
namespace {

struct Messages {
  std::vector<Resources> items;
  std::size_t resource_count;
  std::size_t bound;  ///< uses of the busiest link or port
};

/// Returns the links and, with one port, the ports of `parts` messages from every node to every other node.
Messages messages_in_parts(const Grid& grid, Ports ports, std::size_t parts) {
  const std::size_t links = link_index_count(grid);
  const std::size_t p = grid.node_count();
  Messages messages{{}, links + 2 * p, 0};
  std::vector<std::size_t> uses(messages.resource_count);
  for (std::size_t from = 0; from < p; ++from) {
    for (std::size_t to = 0; to < p; ++to) {
      if (from == to) continue;
      Resources item;
      for (const Link& link :
           route(grid, static_cast<GridNode>(from), static_cast<GridNode>(to), Tie::balanced))
        item.push_back(link_index(grid, link));
      if (ports == Ports::one) item.insert(item.end(), {links + from, links + p + to});
      for (const std::size_t resource : item) uses[resource] += parts;
      messages.items.insert(messages.items.end(), parts, item);
    }
  }
  messages.bound = *std::ranges::max_element(uses);
  return messages;
}

/// Returns the steps that the search finds, in times of a whole block.
double steps_in_parts(const Grid& grid, Ports ports, std::size_t parts) {
  const Messages messages = messages_in_parts(grid, ports, parts);
  const PlacingLimits limits{messages.bound * 5 / 4, messages.bound, parts * 120'000'000};
  const auto placed = place_in_few_steps(messages.items, messages.resource_count, limits);
  return static_cast<double>(placed.value().step_count) / static_cast<double>(parts);
}

TEST(SplitBlocks, save_less_than_a_twentieth_of_the_bound) {
  if (sanitized) GTEST_SKIP() << "the search takes minutes with sanitizers";
  const std::pair<const char*, Ports> networks[] = {{"mesh:5x5", Ports::one},
                                                    {"mesh:3x3x3", Ports::all},
                                                    {"torus:4x8~4", Ports::all},
                                                    {"torus:4x4,cut=0-1", Ports::one}};
  for (const auto& [name, ports] : networks) {
    const Grid grid = parse_grid(name);
    const auto bound = static_cast<double>(messages_in_parts(grid, ports, 1).bound);
    EXPECT_LE(steps_in_parts(grid, ports, 1) - steps_in_parts(grid, ports, 2), 0.05 * bound)
        << name << ", ports " << to_string(ports);
  }
}

}  // namespace
}  // namespace cubefold
