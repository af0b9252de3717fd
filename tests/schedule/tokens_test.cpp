#include "schedule/tokens.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "cubefold/exchange/method.hpp"
#include "schedule/messages.hpp"

namespace cubefold {
namespace {

/// Returns the resources that a message needs alone: the links of its route and, with Ports::one, the port of its
/// receiver. Does not use the code that is tested.
std::set<std::size_t> taken(const Placement& placement, Ports ports, const Message& m) {
  std::set<std::size_t> things;
  for (const Link& link :
       route(placement.grid(), placement.node_of(m.from), placement.node_of(m.to), Tie::balanced))
    things.insert(link_index(placement.grid(), link));
  if (ports == Ports::one) things.insert(link_index_count(placement.grid()) + label(m.to));
  return things;
}

bool meet(const std::set<std::size_t>& a, const std::set<std::size_t>& b) {
  return std::any_of(a.begin(), a.end(), [&](std::size_t thing) { return b.contains(thing); });
}

/// Holds a schedule and the tokens of all ranks as a graph of events. Message m leaves in event 2 m and has arrived in
/// event 2 m + 1.
class Order {
 public:
  Order(const Schedule& schedule, const std::vector<TokenProgram>& tokens)
      : sends_(tokens.size()), receives_(tokens.size()) {
    for (std::size_t step = 0; step < schedule.steps.size(); ++step) {
      for (const Message& m : schedule.steps[step]) {
        sends_[label(m.from)].push_back(messages.size());
        receives_[label(m.to)].push_back(messages.size());
        messages.emplace_back(step, m);
      }
    }
    after_.resize(2 * messages.size());
    for (std::size_t m = 0; m < messages.size(); ++m) after_[2 * m].push_back(2 * m + 1);
    for (std::size_t rank = 0; rank < tokens.size(); ++rank) add_rank(rank, tokens);
  }

  /// Returns whether message `one` arrives before message `other` leaves, however fast the processes are.
  bool is_over_before(std::size_t one, std::size_t other) const {
    std::vector<bool> seen(after_.size());
    std::vector<std::size_t> open{2 * one + 1};
    while (!open.empty()) {
      const std::size_t event = open.back();
      open.pop_back();
      if (event == 2 * other) return true;
      for (const std::size_t next : after_[event]) {
        if (!seen[next]) open.push_back(next);
        seen[next] = true;
      }
    }
    return false;
  }

  bool has_cycle() const {
    for (std::size_t m = 0; m < messages.size(); ++m) {
      if (is_over_before(m, m)) return true;
    }
    return false;
  }

  std::vector<std::pair<std::size_t, Message>> messages;

 private:
  void add_rank(std::size_t rank, const std::vector<TokenProgram>& tokens) {
    const auto& sends = sends_[rank];
    for (std::size_t i = 1; i < sends.size(); ++i) after_[2 * sends[i - 1]].push_back(2 * sends[i]);
    std::map<Rank, std::size_t> heard;
    for (const auto& [send, from] : tokens[rank].awaited) {
      const auto given = given_to(tokens[label(from)], static_cast<std::uint32_t>(rank));
      add_receives(label(from), given.at(heard[from]++) + 1, sends[send]);
    }
    for (const auto& [from, count] : heard)
      EXPECT_EQ(count, given_to(tokens[label(from)], static_cast<std::uint32_t>(rank)).size());
  }

  static std::vector<std::uint32_t> given_to(const TokenProgram& giver, std::uint32_t rank) {
    std::vector<std::uint32_t> receives;
    for (const auto& [receive, to] : giver.given) {
      if (label(to) == rank) receives.push_back(receive);
    }
    return receives;
  }

  void add_receives(std::size_t rank, std::size_t count, std::size_t send) {
    for (std::size_t i = 0; i < count; ++i) after_[2 * receives_[rank].at(i) + 1].push_back(2 * send);
  }

  std::vector<std::vector<std::size_t>> sends_;
  std::vector<std::vector<std::size_t>> receives_;
  std::vector<std::vector<std::size_t>> after_;
};

std::vector<TokenProgram> tokens_of_all(const Schedule& schedule, const Placement& placement, Ports ports) {
  std::vector<TokenProgram> tokens;
  for (std::uint32_t r = 0; r < schedule.rank_count; ++r)
    tokens.push_back(token_program(schedule, placement, ports, Tie::balanced, Rank{r}));
  return tokens;
}

/// Returns the number of pairs of messages of different steps that may use the same resource at the same time.
std::size_t pairs_that_may_meet(const Schedule& schedule, const Placement& placement, Ports ports,
                                const std::vector<TokenProgram>& tokens) {
  const Order order(schedule, tokens);
  EXPECT_FALSE(order.has_cycle());
  std::vector<std::set<std::size_t>> things;
  for (const auto& [step, m] : order.messages) things.push_back(taken(placement, ports, m));
  std::size_t pairs = 0;
  for (std::size_t b = 0; b < things.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      if (order.messages[a].first != order.messages[b].first && meet(things[a], things[b]) &&
          !order.is_over_before(a, b))
        ++pairs;
    }
  }
  return pairs;
}

TEST(TokenProgram, makes_a_message_wait_for_the_receiver_of_the_last_one_on_a_link_that_it_needs) {
  const Placement line(parse_grid("line:4"), parse_placement("identity"));
  const Schedule schedule{4, {{message(0, 2)}, {message(1, 3)}}};
  const auto tokens = tokens_of_all(schedule, line, Ports::all);
  EXPECT_EQ(tokens[2].given, (std::vector<TokenProgram::Given>{{0, Rank{1}}}));
  EXPECT_EQ(tokens[1].awaited, (std::vector<TokenProgram::Awaited>{{0, Rank{2}}}));
  EXPECT_EQ(tokens[0], TokenProgram{});
  EXPECT_EQ(tokens[3], TokenProgram{});
}

TEST(TokenProgram, lets_messages_that_meet_nowhere_alone) {
  const Placement line(parse_grid("line:4"), parse_placement("identity"));
  for (const auto& tokens :
       tokens_of_all({4, {{message(0, 1)}, {message(2, 3)}, {message(3, 2)}}}, line, Ports::all))
    EXPECT_EQ(tokens, TokenProgram{});
}

TEST(TokenProgram, counts_a_receiver_s_port_only_where_it_is_the_only_one) {
  const Placement line(parse_grid("line:3"), parse_placement("identity"));
  const Schedule schedule{3, {{message(0, 1)}, {message(2, 1)}}};
  EXPECT_TRUE(tokens_of_all(schedule, line, Ports::all)[2].awaited.empty());
  EXPECT_EQ(tokens_of_all(schedule, line, Ports::one)[2].awaited,
            (std::vector<TokenProgram::Awaited>{{0, Rank{1}}}));
}

TEST(TokenProgram, leaves_out_a_token_that_says_less_than_an_earlier_one_from_the_same_rank) {
  const Placement line(parse_grid("line:3"), parse_placement("identity"));
  const Schedule schedule{3, {{message(0, 2)}, {message(1, 2)}, {message(1, 2)}, {message(0, 1)}}};
  const auto tokens = tokens_of_all(schedule, line, Ports::all);
  EXPECT_EQ(tokens[1].awaited, (std::vector<TokenProgram::Awaited>{{0, Rank{2}}, {1, Rank{2}}}));
  EXPECT_EQ(tokens[0].awaited, (std::vector<TokenProgram::Awaited>{{1, Rank{2}}}));
  EXPECT_EQ(tokens[2].given, (std::vector<TokenProgram::Given>{{0, Rank{1}}, {0, Rank{0}}, {1, Rank{1}}}));
}

class TokensOnGrids : public testing::TestWithParam<std::string> {};

TEST_P(TokensOnGrids, keep_every_pair_of_messages_apart_that_would_meet) {
  const Placement placement(parse_grid(GetParam()), parse_placement("identity"));
  for (const auto& method : exchange_methods(placement.grid())) {
    for (const Ports ports : {Ports::one, Ports::all}) {
      const Schedule schedule = exchange_schedule(method, placement, {ports, Tie::balanced});
      const auto tokens = tokens_of_all(schedule, placement, ports);
      EXPECT_EQ(pairs_that_may_meet(schedule, placement, ports, tokens), 0u) << to_string(method);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Grids, TokensOnGrids,
                         testing::Values("ring:2", "ring:3", "line:4", "ring:5", "mesh:3x2", "ring:8",
                                         "mesh:3x3", "torus:3x4", "mesh:4x4", "torus:4x4", "torus:2x2x3"));

TEST(TokenProgram, is_needed_to_the_last_token) {
  const Placement placement(parse_grid("mesh:3x2"), parse_placement("identity"));
  const Schedule schedule =
      exchange_schedule({ExchangeAlgorithm::direct, {}}, placement, {Ports::one, Tie::balanced});
  const auto tokens = tokens_of_all(schedule, placement, Ports::one);
  EXPECT_GT(pairs_that_may_meet(schedule, placement, Ports::one, std::vector<TokenProgram>(6)), 0u);
  EXPECT_EQ(pairs_that_may_meet(schedule, placement, Ports::one, tokens), 0u);
  auto without_one = tokens;
  const auto lost = without_one[0].awaited.back();
  without_one[0].awaited.pop_back();
  auto& given = without_one[label(lost.from)].given;
  given.erase(std::prev(
      std::find_if(given.rbegin(), given.rend(), [](const auto& g) { return g.to == Rank{0}; }).base()));
  EXPECT_GT(pairs_that_may_meet(schedule, placement, Ports::one, without_one), 0u);
}

}  // namespace
}  // namespace cubefold
