#include "schedule/schedule_json.hpp"

#include <gtest/gtest.h>

#include "support/cc_cube_schedule.hpp"
#include "support/pairwise_exchange.hpp"

namespace cubefold {
namespace {

/// Returns an exchange without conflicts. Under xor a ring of 4 is a 2-cube, so neighbours are one hop apart.
ScheduleFile exchange_on_a_ring() {
  return {{parse_grid("ring:4"), parse_placement("xor")},
          Ports::one,
          Tie::balanced,
          "cc-cube",
          {3, 2},
          cc_cube_exchange(2)};
}

TEST(FirstFault, is_none_in_an_exchange_without_conflicts) {
  EXPECT_EQ(first_fault(exchange_on_a_ring()), std::nullopt);
}

TEST(FirstFault, names_step_link_and_places_of_two_messages_on_a_link) {
  ScheduleFile file = exchange_on_a_ring();
  file.placement = Placement(parse_grid("line:4"), parse_placement("standard"));
  EXPECT_EQ(
      first_fault(file),
      "step 1: the link from node 1 to node 2 carries two messages, from rank 0 to 2 and from rank 1 to "
      "3 (steps[1][0] and [1])");
}

TEST(FirstFault, names_step_and_port) {
  ScheduleFile file = exchange_on_a_ring();
  file.schedule = pairwise_exchange(2);
  Step& first = file.schedule.steps[0];
  first.push_back(file.schedule.steps[1][0]);
  file.schedule.steps[1].erase(file.schedule.steps[1].begin());
  EXPECT_EQ(first_fault(file),
            "step 0: node 0 sends two messages, from rank 0 to 1 and from rank 0 to 2 "
            "(steps[0][0] and [4])");
}

TEST(FirstFault, names_step_rank_and_block_of_what_is_no_exchange) {
  ScheduleFile file = exchange_on_a_ring();
  file.schedule.steps[1][3].blocks.pop_back();
  EXPECT_EQ(first_fault(file), "step 2: rank 3 is left at the end with block 3 -> 1");
}

TEST(FirstFault, goes_by_the_ports_and_ties_of_the_file) {
  ScheduleFile file = exchange_on_a_ring();
  file.placement = Placement(parse_grid("ring:4"), parse_placement("identity"));
  EXPECT_EQ(first_fault(file), std::nullopt);
  file.tie = Tie::positive;
  EXPECT_NE(first_fault(file), std::nullopt);
}

TEST(FirstFault, makes_no_room_for_a_grid_whose_blocks_are_not_sent) {
  ScheduleFile file{{parse_grid("torus:32768x65536"), parse_placement("identity")},
                    Ports::one,
                    Tie::positive,
                    "",
                    {0, 0},
                    {std::size_t{1} << 31, {}}};
  EXPECT_EQ(first_fault(file),
            "0 blocks are sent, less than half of the 4611686016279904256 of a complete "
            "exchange");
}

}  // namespace
}  // namespace cubefold
