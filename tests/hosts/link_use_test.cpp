#include "hosts/link_use.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "hosts/fabric_text.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

using Followers = std::vector<std::vector<std::uint32_t>>;

Fabric fabric_of(const char* grid, const FabricShape& shape = {}) {
  return parse_ibnetdiscover(FabricText(parse_grid(grid), shape).text());
}

/// Walks from every host to every other one.
LinkUse walked(const Fabric& fabric, const FabricRoutes& routes) {
  const auto links = links_of(fabric);
  LinkUse use{std::vector<std::uint64_t>(links.size()), Followers(links.size())};
  for (std::uint32_t to = 0; to < fabric.hosts.size(); ++to) {
    const auto next = routes(to);
    for (const FabricHost& from : fabric.hosts) {
      std::uint32_t before = no_link;
      for (std::uint32_t link = next[from.on_switch]; link != no_link; link = next[links[link].to]) {
        ++use.messages[link];
        if (before != no_link) use.followers[before].push_back(link);
        before = link;
      }
    }
  }
  return use;
}

void make_set(std::vector<std::uint32_t>& numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

TEST(UseOfLinks, is_that_of_messages_which_walk) {
  for (const char* name : {"torus:3x4", "mesh:5x2", "hypercube:4", "ring:7"}) {
    for (const int hosts : {1, 2}) {
      const Fabric fabric = fabric_of(name, {.seed = 3, .hosts_per_switch = hosts, .cables_per_pair = hosts});
      const FabricRoutes routes = first_port_routes(fabric, {});
      LinkUse use = use_of_links(fabric, routes);
      LinkUse expected = walked(fabric, routes);
      std::ranges::for_each(use.followers, make_set);
      std::ranges::for_each(expected.followers, make_set);
      EXPECT_EQ(use.messages, expected.messages) << name;
      EXPECT_EQ(use.followers, expected.followers) << name;
    }
  }
}

TEST(UseOfLinks, names_a_switch_from_where_messages_never_arrive) {
  const Fabric fabric = fabric_of("line:3");
  const auto links = links_of(fabric);
  const auto away_from_it = [&](std::uint32_t host) {
    std::vector<std::uint32_t> next(fabric.switches.size(), no_link);
    const std::uint32_t end = fabric.hosts[host].on_switch;
    for (std::uint32_t i = 0; i < links.size(); ++i)
      if (links[i].from != end && links[i].to != end) next[links[i].from] = i;
    return next;
  };
  const auto message = message_of([&] { use_of_links(fabric, away_from_it); });
  EXPECT_EQ(message.substr(0, 16), "messages from sw");
  EXPECT_EQ(message.substr(message.find(" to ")), " to host 'node0-0' never arrive");
}

/// Returns whether links that follow each other lead from a link back to it.
bool has_cycle(const Followers& followers) {
  for (std::uint32_t start = 0; start < followers.size(); ++start) {
    std::vector<bool> reached(followers.size());
    std::vector<std::uint32_t> open = followers[start];
    while (!open.empty()) {
      const std::uint32_t link = open.back();
      open.pop_back();
      if (reached[link]) continue;
      reached[link] = true;
      open.insert(open.end(), followers[link].begin(), followers[link].end());
    }
    if (reached[start]) return true;
  }
  return false;
}

bool is_cycle(const Followers& followers, const std::vector<std::uint32_t>& cycle) {
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const auto& next = followers[cycle[i]];
    if (std::ranges::find(next, cycle[(i + 1) % cycle.size()]) == next.end()) return false;
  }
  return !cycle.empty();
}

TEST(DependencyCycle, finds_cycles_and_nothing_else) {
  EXPECT_EQ(dependency_cycle({}), std::vector<std::uint32_t>{});
  EXPECT_EQ(dependency_cycle({{1, 2}, {3}, {3}, {}}), std::vector<std::uint32_t>{});
  EXPECT_EQ(dependency_cycle({{1}, {2}, {1}, {0}}).size(), 2);
  EXPECT_EQ(dependency_cycle({{0}}), std::vector<std::uint32_t>{0});
  EXPECT_EQ(dependency_cycle({{1}, {2}, {3}, {0}}).size(), 4);
}

TEST(DependencyCycle, agrees_with_a_search_from_every_link) {
  std::mt19937 random(11);
  int cyclic = 0;
  for (int trial = 0; trial < 500; ++trial) {
    Followers followers(8);
    for (std::uint32_t i = 0; i < 7; ++i) followers[random() % 8].push_back(random() % 8);
    const auto cycle = dependency_cycle(followers);
    ASSERT_EQ(!cycle.empty(), has_cycle(followers));
    ASSERT_TRUE(cycle.empty() || is_cycle(followers, cycle));
    cyclic += cycle.empty() ? 0 : 1;
  }
  EXPECT_GT(cyclic, 100);
  EXPECT_LT(cyclic, 400);
}

}  // namespace
}  // namespace cubefold
