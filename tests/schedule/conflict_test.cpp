#include "schedule/conflict.hpp"

#include <gtest/gtest.h>

#include "schedule/messages.hpp"
#include "support/cc_cube_schedule.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

Placement in_place(const char* grid) {
  return {parse_grid(grid), parse_placement("identity")};
}

TEST(PortsName, is_read_as_it_is_written) {
  for (const Ports ports : {Ports::one, Ports::all}) EXPECT_EQ(parse_ports(to_string(ports)), ports);
}

TEST(PortsName, is_refused_with_those_that_there_are) {
  EXPECT_EQ(message_of([] { parse_ports("two"); }), "unknown ports 'two'; known: one, all");
}

TEST(FirstConflict, finds_nothing_in_a_shift_along_a_ring) {
  Step shift;
  for (std::uint32_t r = 0; r < 8; ++r) shift.push_back(message(r, (r + 1) % 8));
  EXPECT_EQ(first_conflict(in_place("ring:8"), {8, {shift, shift}}, Ports::one, Tie::positive), std::nullopt);
}

TEST(FirstConflict, finds_the_link_over_the_edge_that_a_line_does_not_have) {
  Step shift;
  for (std::uint32_t r = 0; r < 8; ++r) shift.push_back(message(r, (r + 1) % 8));
  shift.erase(shift.begin() + 1, shift.end() - 1);  // leaves 0 -> 1 and 7 -> 0
  shift.push_back(message(6, 5));
  const auto conflict = first_conflict(in_place("line:8"), {8, {shift}}, Ports::one, Tie::positive);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->kind, Conflict::Kind::link);
  EXPECT_EQ(conflict->link, (Link{GridNode{6}, 0, Direction::negative}));
}

TEST(FirstConflict, finds_the_two_messages_that_meet_in_the_middle_of_a_line) {
  const Schedule schedule{8, {{}, {message(5, 6), message(0, 4), message(2, 5)}}};
  const auto conflict = first_conflict(in_place("line:8"), schedule, Ports::one, Tie::positive);
  EXPECT_EQ(conflict,
            (Conflict{Conflict::Kind::link, 1, 1, 2, {GridNode{2}, 0, Direction::positive}, GridNode{3}}));
  EXPECT_EQ(describe(*conflict, schedule),
            "step 1: the link from node 2 to node 3 carries two messages, from rank 0 to 4 and from "
            "rank 2 to 5");
}

TEST(FirstConflict, lets_messages_pass_each_other_in_opposite_directions) {
  EXPECT_EQ(
      first_conflict(in_place("line:8"), {8, {{message(0, 4), message(4, 0)}}}, Ports::one, Tie::positive),
      std::nullopt);
}

TEST(FirstConflict, lets_the_same_link_be_used_in_different_steps) {
  EXPECT_EQ(
      first_conflict(in_place("line:4"), {4, {{message(0, 3)}, {message(0, 3)}}}, Ports::one, Tie::positive),
      std::nullopt);
}

TEST(FirstConflict, finds_a_node_that_sends_twice_through_one_port) {
  const Schedule schedule{8, {{message(3, 4), message(3, 2)}}};
  const auto conflict = first_conflict(in_place("line:8"), schedule, Ports::one, Tie::positive);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->kind, Conflict::Kind::send_port);
  EXPECT_EQ(describe(*conflict, schedule),
            "step 0: node 3 sends two messages, from rank 3 to 4 and from rank 3 to 2");
  EXPECT_EQ(first_conflict(in_place("line:8"), schedule, Ports::all, Tie::positive), std::nullopt);
}

TEST(FirstConflict, finds_a_node_that_receives_twice_through_one_port) {
  const Schedule schedule{8, {{message(4, 3), message(2, 3)}}};
  const auto conflict = first_conflict(in_place("line:8"), schedule, Ports::one, Tie::positive);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->kind, Conflict::Kind::receive_port);
  EXPECT_EQ(describe(*conflict, schedule),
            "step 0: node 3 receives two messages, from rank 4 to 3 and from rank 2 to 3");
  EXPECT_EQ(first_conflict(in_place("line:8"), schedule, Ports::all, Tie::positive), std::nullopt);
}

TEST(FirstConflict, does_not_count_passing_through_a_node) {
  EXPECT_EQ(
      first_conflict(in_place("mesh:3x3"), {9, {{message(3, 5), message(4, 7)}}}, Ports::one, Tie::positive),
      std::nullopt);
}

TEST(FirstConflict, depends_on_the_tie_rule) {
  const Schedule schedule{4, {{message(0, 2), message(1, 3)}}};
  EXPECT_TRUE(first_conflict(in_place("ring:4"), schedule, Ports::one, Tie::positive));
  EXPECT_FALSE(first_conflict(in_place("ring:4"), schedule, Ports::one, Tie::balanced));
}

TEST(FirstConflict, depends_on_the_placement) {
  const Schedule exchange = cc_cube_exchange(4);
  const auto conflict_under = [&](const char* rule) {
    return first_conflict({parse_grid("torus:4x4"), parse_placement(rule)}, exchange, Ports::one,
                          Tie::positive);
  };
  EXPECT_TRUE(conflict_under("standard"));
  EXPECT_FALSE(conflict_under("xor"));
}

TEST(ConflictCheck, takes_steps_one_by_one_and_counts_them) {
  ConflictCheck check(in_place("line:8"), Ports::one, Tie::positive);
  EXPECT_EQ(check.add({message(0, 4)}), std::nullopt);
  EXPECT_EQ(check.add({message(0, 4), message(5, 6)}), std::nullopt);
  const Conflict met{Conflict::Kind::link, 2, 0, 1, {GridNode{3}, 0, Direction::positive}, GridNode{4}};
  EXPECT_EQ(check.add({message(0, 4), message(3, 5)}), met);
}

TEST(FirstConflict, refuses_a_rank_that_has_no_node) {
  EXPECT_EQ(message_of([] {
              (void)first_conflict(in_place("line:4"), {8, {{message(0, 4)}}}, Ports::one, Tie::positive);
            }),
            "ConflictCheck: rank 4 is not below 4, the number of nodes of line:4");
}

}  // namespace
}  // namespace cubefold
