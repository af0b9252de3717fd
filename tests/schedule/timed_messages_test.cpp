#include "schedule/timed_messages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "cubefold/topology/link_loads.hpp"
#include "schedule/local_program.hpp"

namespace cubefold {
namespace {

using std::chrono::nanoseconds;

/// A message of L bytes takes 2 + 3 L nanoseconds.
constexpr double gap_seconds = 2e-9;
constexpr double tau_seconds = 3e-9;

struct World {
  Placement placement;
  Ports ports;
  Tie tie = Tie::balanced;

  World(const char* grid, Ports of_nodes, const char* rule = "identity")
      : placement(parse_grid(grid), parse_placement(rule)), ports(of_nodes) {}

  std::uint32_t rank_count() const { return static_cast<std::uint32_t>(placement.rank_count()); }

  std::vector<TimedMessage> scheduled(BlockSizes sizes) const {
    return schedule_by_size(placement, ports, tie, sizes, gap_seconds, tau_seconds);
  }

  bool share_anything(const TimedMessage& a, const TimedMessage& b) const {
    if (ports == Ports::one && (a.from == b.from || a.to == b.to)) return true;
    const auto links_of_message = [&](const TimedMessage& each) {
      return route(placement.grid(), placement.node_of(each.from), placement.node_of(each.to), tie);
    };
    const auto others = links_of_message(b);
    return std::ranges::any_of(links_of_message(a), [&](const Link& link) {
      return std::ranges::find(others, link) != others.end();
    });
  }

  /// Compares every message with every other one.
  bool has_overlap(const std::vector<TimedMessage>& messages) const {
    for (std::size_t i = 0; i < messages.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const bool at_once = messages[i].begin < messages[j].end() && messages[j].begin < messages[i].end();
        if (at_once && share_anything(messages[i], messages[j])) return true;
      }
    }
    return false;
  }

  /// Returns the time that the busiest link or port needs for its messages.
  nanoseconds bound(const std::vector<TimedMessage>& messages) const {
    LinkLoads links(placement.grid(), tie);
    std::vector<nanoseconds> sent(rank_count());
    std::vector<nanoseconds> received(rank_count());
    for (const TimedMessage& message : messages) {
      links.add(placement.node_of(message.from), placement.node_of(message.to),
                static_cast<std::uint64_t>(message.length.count()));
      sent[label(message.from)] += message.length;
      received[label(message.to)] += message.length;
    }
    const nanoseconds of_links(links.busiest());
    if (ports == Ports::all) return of_links;
    return std::max({of_links, *std::ranges::max_element(sent), *std::ranges::max_element(received)});
  }
};

nanoseconds end_of_last(const std::vector<TimedMessage>& messages) {
  nanoseconds last{0};
  for (const TimedMessage& message : messages) last = std::max(last, message.end());
  return last;
}

template <typename Size>
std::vector<std::uint32_t> sizes_by(std::uint32_t rank_count, Size size) {
  std::vector<std::uint32_t> sizes;
  for (std::uint32_t from = 0; from < rank_count; ++from)
    for (std::uint32_t to = 0; to < rank_count; ++to) sizes.push_back(size(from, to));
  return sizes;
}

std::vector<std::uint32_t> exponential_sizes(std::uint32_t rank_count, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::exponential_distribution<double> size(1e-3);
  return sizes_by(rank_count, [&](auto, auto) { return static_cast<std::uint32_t>(size(generator)); });
}

/// Each rank has one long block for some other rank and short ones for the rest.
std::vector<std::uint32_t> one_long_block_in_each_row(std::uint32_t rank_count, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::uniform_int_distribution<std::uint32_t> distance(1, rank_count - 1);
  std::vector<std::uint32_t> favourites;
  for (std::uint32_t from = 0; from < rank_count; ++from)
    favourites.push_back((from + distance(generator)) % rank_count);
  return sizes_by(rank_count, [&](auto from, auto to) { return favourites[from] == to ? 10000U : 10U; });
}

const auto worlds = {World("line:5", Ports::one),     World("ring:8", Ports::all, "gray"),
                     World("mesh:3x4", Ports::one),   World("torus:4x4", Ports::one, "xor"),
                     World("torus:5x3", Ports::all),  World("grid:4wx3", Ports::one),
                     World("mesh:2x3x2", Ports::all), World("hypercube:4", Ports::all)};

TEST(ScheduleBySize, lets_long_messages_begin_first) {
  const World line("line:3", Ports::one);
  // 0 -> 2 of 4 bytes takes both links upwards. 0 -> 1 and 1 -> 2 of 1 byte then wait for it.
  const std::vector<std::uint32_t> sizes{0, 1, 4, 2, 0, 1, 0, 0, 0};
  const auto at = [](std::uint32_t from, std::uint32_t to, int begin, int length) {
    return TimedMessage{Rank{from}, Rank{to}, nanoseconds(begin), nanoseconds(length)};
  };
  EXPECT_EQ(line.scheduled(sizes),
            (std::vector<TimedMessage>{at(0, 2, 0, 14), at(1, 0, 0, 8), at(0, 1, 14, 5), at(1, 2, 14, 5)}));
}

TEST(ScheduleBySize, never_lets_two_messages_meet) {
  for (const World& world : worlds) {
    for (unsigned seed = 1; seed <= 5; ++seed) {
      EXPECT_FALSE(world.has_overlap(world.scheduled(exponential_sizes(world.rank_count(), seed))));
      EXPECT_FALSE(world.has_overlap(world.scheduled(one_long_block_in_each_row(world.rank_count(), seed))));
    }
  }
}

TEST(ScheduleBySize, is_found_out_if_a_message_begins_earlier) {
  const World world("mesh:3x4", Ports::one);
  auto messages = world.scheduled(exponential_sizes(world.rank_count(), 1));
  int found = 0;
  for (TimedMessage& message : messages) {
    if (message.begin == nanoseconds(0)) continue;
    message.begin -= nanoseconds(1);
    found += world.has_overlap(messages) ? 1 : 0;
    message.begin += nanoseconds(1);
  }
  // Every message begins when one that it would meet ends, so no message can begin earlier.
  EXPECT_EQ(found, std::ranges::count_if(messages, [](auto& each) { return each.begin > nanoseconds(0); }));
}

TEST(ScheduleBySize, sends_every_block_that_is_not_empty_once) {
  for (const World& world : worlds) {
    auto sizes = exponential_sizes(world.rank_count(), 7);
    for (std::size_t i = 0; i < sizes.size(); i += 3) sizes[i] = 0;
    auto left = sizes;
    for (const TimedMessage& message : world.scheduled(sizes)) {
      auto& bytes = left[label(message.from) * world.rank_count() + label(message.to)];
      EXPECT_EQ(message.length, nanoseconds(2 + 3 * std::int64_t{bytes}));
      EXPECT_GT(bytes, 0U);
      bytes = 0;
    }
    for (std::uint32_t rank = 0; rank < world.rank_count(); ++rank) left[rank * (world.rank_count() + 1)] = 0;
    EXPECT_EQ(std::ranges::count(left, 0U), static_cast<std::ptrdiff_t>(left.size()));
  }
}

TEST(ScheduleBySize, takes_little_more_than_its_busiest_link_or_port) {
  const auto ratio = [](const World& world, const std::vector<std::uint32_t>& sizes) {
    const auto messages = world.scheduled(sizes);
    return static_cast<double>(end_of_last(messages).count()) /
           static_cast<double>(world.bound(messages).count());
  };
  for (const World& world :
       {World("mesh:8x8", Ports::one), World("mesh:8x8", Ports::all), World("torus:8x8", Ports::one),
        World("torus:4x4x4", Ports::one), World("mesh:6x5", Ports::one)}) {
    for (unsigned seed = 1; seed <= 3; ++seed) {
      EXPECT_LT(ratio(world, exponential_sizes(world.rank_count(), seed)), 1.35);
      EXPECT_LT(ratio(world, one_long_block_in_each_row(world.rank_count(), seed)), 1.4);
    }
  }
}

TEST(ScheduleBySize, is_empty_without_data) {
  const World world("torus:4x4", Ports::one);
  EXPECT_TRUE(world.scheduled(std::vector<std::uint32_t>(256)).empty());
  EXPECT_TRUE(World("line:1", Ports::one).scheduled(std::vector<std::uint32_t>{5}).empty());
}

TEST(PartOfTimedMessages, is_a_complete_exchange_in_the_order_of_begins) {
  for (const World& world : worlds) {
    auto sizes = exponential_sizes(world.rank_count(), 7);
    for (std::size_t i = 0; i < sizes.size(); i += 3) sizes[i] = 0;
    const auto messages = world.scheduled(sizes);
    std::size_t timed = 0;
    for (std::uint32_t rank = 0; rank < world.rank_count(); ++rank) {
      const TimedPart part = part_of(messages, world.rank_count(), Rank{rank});
      EXPECT_EQ(part.steps.steps.size(), 2 * (world.rank_count() - 1));
      const LocalProgram program =
          local_program(part.steps, Rank{rank});  // throws unless all blocks are there
      EXPECT_EQ(program.scratch_slots, 0U);
      EXPECT_TRUE(std::ranges::is_sorted(part.messages, {}, &TimedMessage::begin));
      for (std::size_t step = 0; step < part.messages.size(); ++step) {
        EXPECT_EQ(part.steps.steps[step].front().from, part.messages[step].from);
        EXPECT_EQ(part.steps.steps[step].front().to, part.messages[step].to);
      }
      timed += part.messages.size();
    }
    EXPECT_EQ(timed, 2 * messages.size());
  }
}

}  // namespace
}  // namespace cubefold
