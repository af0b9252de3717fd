#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "cubefold/exchange/method.hpp"
#include "exchange/exchange_checks.hpp"
#include "exchange/moves_checks.hpp"
#include "exchange/walked_moves.hpp"

namespace cubefold {
namespace {

/// Holds a phase as a list of moves, which may be wrong.
struct Listed {
  std::vector<Moves> moves;
  std::size_t steps = 2;
  std::size_t step_count() const { return steps; }
  Moves moves_of(GridNode node) const { return moves[static_cast<std::size_t>(node)]; }
};

Move move(std::size_t step, std::uint32_t peer) {
  return {step, static_cast<GridNode>(peer)};
}

/// Returns a phase on 3 nodes in which every node sends to every other node, in two cyclic shifts.
Listed shifts() {
  return {{{{move(0, 1), move(1, 2)}, {move(0, 2), move(1, 1)}},
           {{move(0, 2), move(1, 0)}, {move(0, 0), move(1, 2)}},
           {{move(0, 0), move(1, 1)}, {move(0, 1), move(1, 0)}}}};
}

std::optional<std::string> fault_of(const Listed& listed) {
  return first_moves_fault(parse_grid("line:3"), listed, {Ports::one, Tie::balanced},
                           [](GridNode, GridNode) { return true; });
}

TEST(FirstMovesFault, finds_nothing_in_two_shifts) {
  EXPECT_EQ(fault_of(shifts()), std::nullopt);
}

TEST(FirstMovesFault, finds_ends_that_disagree) {
  Listed listed = shifts();
  listed.moves[0].receives[0].peer = static_cast<GridNode>(1);
  EXPECT_EQ(fault_of(listed), "what is sent is not what is received");
}

TEST(FirstMovesFault, finds_a_peer_that_is_left_out_and_one_that_is_met_twice) {
  Listed listed = shifts();
  listed.moves[2].sends.pop_back();
  EXPECT_EQ(fault_of(listed), "node 2 does not send to 1 as often as it should");
  listed = shifts();
  listed.moves[2].sends[1].peer = static_cast<GridNode>(0);
  EXPECT_EQ(fault_of(listed), "node 2 does not send to 0 as often as it should");
}

TEST(FirstMovesFault, finds_messages_that_meet) {
  Listed listed = shifts();
  for (Moves& moves : listed.moves) {
    for (Move& m : moves.sends) m.step = 0;
    for (Move& m : moves.receives) m.step = 0;
  }
  listed.steps = 1;
  const auto fault = fault_of(listed);
  ASSERT_TRUE(fault.has_value());
  EXPECT_NE(fault->find("step 0"), std::string::npos) << *fault;
}

TEST(FirstMovesFault, finds_a_step_in_which_nobody_sends) {
  Listed listed = shifts();
  listed.steps = 3;
  EXPECT_EQ(fault_of(listed), "nobody sends in step 2");
}

TEST(FirstMovesFault, finds_moves_that_are_not_in_order) {
  Listed listed = shifts();
  std::swap(listed.moves[1].sends[0], listed.moves[1].sends[1]);
  EXPECT_EQ(fault_of(listed), "sends are not in order");
}

TEST(FirstWalkFault, finds_the_same) {
  const auto walk_fault = [](const Listed& listed) {
    return first_walk_fault(parse_grid("line:3"), listed, {Ports::one, Tie::balanced});
  };
  EXPECT_EQ(walk_fault(shifts()), std::nullopt);
  Listed listed = shifts();
  listed.moves[0].receives[0].peer = static_cast<GridNode>(1);
  EXPECT_EQ(walk_fault(listed), "what is sent is not what is received");
  listed = shifts();
  listed.moves[2].sends.pop_back();
  EXPECT_EQ(walk_fault(listed), "a node is left out");
  listed = shifts();
  listed.moves[2].sends[1].peer = static_cast<GridNode>(0);
  EXPECT_EQ(walk_fault(listed), "a node is met twice");
  listed = shifts();
  listed.moves[0].sends[1].step = 0;
  EXPECT_EQ(walk_fault(listed), "messages meet in step 0");
}

TEST(WalkedMoves, meet_on_links_whichever_way_round_the_ring_and_at_ports) {
  const auto meet = [](const char* grid, const NetworkRules& rules, std::pair<int, int> a,
                       std::pair<int, int> b) {
    WalkedMoves walked(parse_grid(grid), rules, 2);
    const auto node = [](int i) { return static_cast<GridNode>(i); };
    EXPECT_TRUE(walked.walk(1, node(a.first), node(a.second)));
    EXPECT_TRUE(WalkedMoves(walked).walk(0, node(b.first), node(b.second)));
    return !walked.walk(1, node(b.first), node(b.second));
  };
  const NetworkRules one{Ports::one, Tie::balanced}, all{Ports::all, Tie::balanced},
      up{Ports::all, Tie::positive};
  EXPECT_TRUE(meet("line:4", all, {0, 2}, {1, 3}));
  EXPECT_FALSE(meet("line:4", all, {0, 2}, {3, 1}));
  EXPECT_TRUE(meet("ring:8", all, {7, 1}, {0, 2}));
  EXPECT_FALSE(meet("ring:8", all, {0, 4}, {1, 5}));
  EXPECT_TRUE(meet("ring:8", up, {0, 4}, {1, 5}));
  EXPECT_TRUE(meet("mesh:4x4", all, {0, 10}, {2, 6}));  // both use the link from node 2 to node 6
  EXPECT_FALSE(meet("mesh:4x4", all, {0, 10}, {4, 5}));
  EXPECT_FALSE(meet("mesh:4x4", all, {0, 1}, {0, 4}));
  EXPECT_TRUE(meet("mesh:4x4", one, {0, 1}, {0, 4}));
  EXPECT_TRUE(meet("mesh:4x4", one, {0, 1}, {5, 1}));
}

TEST(FirstExchangeFault, finds_what_is_not_delivered_and_what_meets) {
  const auto placement = in_place(parse_grid("line:4"));
  const NetworkRules rules;
  Schedule schedule = exchange_schedule(direct, placement, rules);
  ASSERT_EQ(first_exchange_fault(placement, schedule, rules), std::nullopt);
  schedule.steps[0].insert(schedule.steps[0].end(), schedule.steps[1].begin(), schedule.steps[1].end());
  schedule.steps.erase(schedule.steps.begin() + 1);
  EXPECT_TRUE(first_exchange_fault(placement, schedule, rules).has_value());
  schedule.steps.pop_back();
  EXPECT_NE(first_exchange_fault(placement, schedule, rules)->find("block"), std::string::npos);
}

TEST(FirstOtherPart, finds_the_rank_whose_part_is_another) {
  const auto placement = in_place(parse_grid("line:4"));
  Schedule whole = exchange_schedule(direct, placement, {});
  EXPECT_EQ(first_other_part(direct, placement, {}, whole), std::nullopt);
  Schedule without = whole;  // a message that rank 2 and rank 3 have
  for (Step& step : without.steps) {
    std::erase_if(step, [](const Message& m) { return m.from == Rank{3} && m.to == Rank{2}; });
  }
  EXPECT_EQ(first_other_part(direct, placement, {}, without), Rank{2});
  std::swap(whole.steps[0], whole.steps[1]);
  EXPECT_EQ(first_other_part(direct, placement, {}, whole), Rank{0});
}

}  // namespace
}  // namespace cubefold
