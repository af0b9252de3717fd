#include "schedule/local_program.hpp"

#include <gtest/gtest.h>

#include "cubefold/exchange/method.hpp"
#include "schedule/messages.hpp"
#include "support/collective_schedules.hpp"
#include "support/message_of.hpp"
#include "support/program_replay.hpp"

namespace cubefold {
namespace {

using Runs = std::vector<Run>;

constexpr Run run(Area area, Slot first, Slot count) {
  return {area, first, count};
}

const Schedule swap_of_two{2, {{message(0, 1, {block(0, 1)}), message(1, 0, {block(1, 0)})}}};

TEST(LocalProgram, sends_from_the_slot_of_the_destination_and_receives_in_that_of_the_source) {
  const LocalProgram program = local_program(swap_of_two, Rank{0});
  EXPECT_EQ(program, (LocalProgram{2,
                                   1,
                                   0,
                                   {{0, Rank{1}, 1, 0, 1, 0}},
                                   {{0, Rank{1}, 1, 1, 1, 0}},
                                   {{Area::send, 1, 1}, {Area::receive, 1, 1}},
                                   {{0, 0}}}));
}

TEST(LocalProgram, of_a_single_rank_has_no_messages) {
  EXPECT_EQ(local_program({1, {}}, Rank{0}), (LocalProgram{1, 0, 0, {}, {}, {}, {{0, 0}}}));
}

/// Holds a complete exchange of three ranks. Blocks between ranks 0 and 2 are passed on by rank 1.
const Schedule by_way_of_1{
    3,
    {{message(0, 1, {block(0, 1), block(0, 2)}), message(2, 1, {block(2, 1), block(2, 0)})},
     {message(1, 2, {block(1, 2), block(0, 2)}), message(1, 0, {block(1, 0), block(2, 0)})}}};

TEST(LocalProgram, keeps_blocks_for_others_in_scratch_until_they_have_been_sent_on) {
  const LocalProgram program = local_program(by_way_of_1, Rank{1});
  EXPECT_EQ(program.scratch_slots, 4U);
  const auto runs_of = [&](const LocalMessage& m) {
    return Runs(program.runs.begin() + m.first_run, program.runs.begin() + m.first_run + m.run_count);
  };
  EXPECT_EQ(runs_of(program.receives.at(0)), (Runs{{Area::receive, 0, 1}, {Area::scratch, 1, 1}}));
  EXPECT_EQ(runs_of(program.receives.at(1)), (Runs{{Area::scratch, 2, 1}, {Area::receive, 2, 1}}));
  EXPECT_EQ(program.receives.at(0).arrives_in, 0U);
  EXPECT_EQ(program.receives.at(1).arrives_in, 2U);
  EXPECT_EQ(runs_of(program.sends.at(0)), (Runs{{Area::scratch, 1, 1}, {Area::send, 2, 1}}));
  EXPECT_EQ(program.sends.at(0).needs, 1U);
  EXPECT_EQ(program.sends.at(1).needs, 2U);
}

TEST(LocalProgram, refuses_to_send_a_block_that_is_not_there) {
  const auto complaint = [](std::vector<Block> blocks) {
    return message_of([&] { local_program({3, {{message(0, 1, std::move(blocks))}}}, Rank{0}); });
  };
  EXPECT_EQ(complaint({block(1, 2)}), "local_program: rank 0: sends block 1 -> 2, which is not there");
  EXPECT_EQ(complaint({block(0, 0)}), "local_program: rank 0: sends block 0 -> 0, which is not there");
  EXPECT_EQ(complaint({block(0, 1), block(0, 1)}),
            "local_program: rank 0: sends block 0 -> 1, which is not there");
}

TEST(LocalProgram, refuses_a_part_that_does_not_bring_or_take_all_blocks) {
  const Schedule one_way{2, {{message(0, 1, {block(0, 1)})}}};
  EXPECT_EQ(message_of([&] { local_program(one_way, Rank{0}); }),
            "local_program: rank 0: 0 of 1 blocks arrive");
  EXPECT_EQ(message_of([&] { local_program(one_way, Rank{1}); }),
            "local_program: rank 1: 0 of 1 blocks are sent");
}

TEST(LocalProgram, lines_blocks_up_in_long_runs_however_they_are_listed) {
  Schedule schedule{8, {{message(0, 1, {block(0, 6), block(0, 3), block(0, 2), block(0, 7), block(0, 1)})}}};
  for (const std::uint32_t i : {4U, 5U}) schedule.steps.push_back({message(0, i, {block(0, i)})});
  for (std::uint32_t i = 1; i < 8; ++i) schedule.steps.push_back({message(i, 0, {block(i, 0)})});
  const LocalProgram program = local_program(schedule, Rank{0});
  EXPECT_EQ(program.sends.at(0), (LocalMessage{0, Rank{1}, 5, 0, 2, 0}));
  EXPECT_EQ(program.runs.at(0), run(Area::send, 1, 3));
  EXPECT_EQ(program.runs.at(1), run(Area::send, 6, 2));
}

TEST(LocalProgram,
     takes_single_slots_where_messages_that_arrive_as_a_whole_would_need_more_than_two_for_each_rank) {
  for (const char* name : {"hypercube:6", "torus:8x8", "torus:4x4x4", "torus:7x3x2"}) {
    const Placement placement(parse_grid(name), parse_placement("identity"));
    for (const auto& method : exchange_methods(placement.grid())) {
      const LocalProgram program = local_program(exchange_part(method, placement, {}, Rank{5}), Rank{5});
      EXPECT_LE(program.scratch_slots, 2 * program.rank_count) << name << ' ' << to_string(method);
    }
  }
}

TEST(InSingleBlocks, gives_each_block_a_message_and_takes_turns_among_those_of_a_step) {
  const Schedule part = part_of(by_way_of_1, Rank{1});
  EXPECT_EQ(in_single_blocks(part),
            (Schedule{3,
                      {{message(0, 1, {block(0, 1)}), message(2, 1, {block(2, 1)}),
                        message(0, 1, {block(0, 2)}), message(2, 1, {block(2, 0)})},
                       {message(1, 2, {block(1, 2)}), message(1, 0, {block(1, 0)}),
                        message(1, 2, {block(0, 2)}), message(1, 0, {block(2, 0)})}}}));
}

/// Returns the blocks that travel from one rank to another, in the order in which a part has their messages.
std::vector<Block> blocks_in_order(const Schedule& part, Rank from, Rank to) {
  std::vector<Block> blocks;
  for (const Step& step : part.steps) {
    for (const Message& each : step) {
      if (each.from == from && each.to == to)
        blocks.insert(blocks.end(), each.blocks.begin(), each.blocks.end());
    }
  }
  return blocks;
}

TEST(InSingleBlocks, have_one_order_at_both_ends) {
  for (const char* name : {"torus:3x4", "mesh:2x3x2", "hypercube:3", "line:5"}) {
    const Placement placement(parse_grid(name), parse_placement("identity"));
    for (const auto& method : exchange_methods(placement.grid())) {
      for (const Ports ports : {Ports::one, Ports::all}) {
        std::vector<Schedule> parts;
        for (std::uint32_t r = 0; r < placement.rank_count(); ++r)
          parts.push_back(
              in_single_blocks(exchange_part(method, placement, {ports, Tie::balanced}, Rank{r})));
        for (std::uint32_t from = 0; from < parts.size(); ++from) {
          for (std::uint32_t to = 0; to < parts.size(); ++to) {
            EXPECT_EQ(blocks_in_order(parts[from], Rank{from}, Rank{to}),
                      blocks_in_order(parts[to], Rank{from}, Rank{to}))
                << name << ' ' << to_string(method);
          }
        }
      }
    }
  }
}

TEST(LocalPrograms, of_every_method_bring_all_blocks_home_in_any_order_that_needs_allow) {
  for (const char* name : {"line:8", "ring:8", "mesh:4x4", "torus:4x4", "grid:8wx2", "mesh:2x4x2",
                           "hypercube:3", "mesh:3x5", "torus:3x3x2", "ring:7", "line:2", "ring:1"}) {
    const Placement placement(parse_grid(name), parse_placement("identity"));
    for (const auto& method : exchange_methods(placement.grid())) {
      for (const Ports ports : {Ports::one, Ports::all}) {
        const Schedule schedule = exchange_schedule(method, placement, {ports, Tie::balanced});
        EXPECT_EQ(first_replay_fault(local_programs(schedule)), std::nullopt)
            << name << ' ' << to_string(method);
        EXPECT_EQ(first_replay_fault(local_programs(in_single_blocks(schedule))), std::nullopt)
            << name << ' ' << to_string(method) << " in single blocks";
      }
    }
  }
}

LocalProgram program_of(const CollectiveSchedule& made, Rank rank) {
  return local_program(part_of(made.schedule, rank), rank, made.collective);
}

TEST(LocalPrograms, of_collectives_bring_and_reduce_all_chunks_in_any_order_that_needs_allow) {
  for (std::uint32_t p = 1; p <= 9; ++p) {
    for (const CollectiveSchedule& made : collective_schedules(p)) {
      EXPECT_EQ(first_replay_fault(local_programs(made.schedule, made.collective), made.collective),
                std::nullopt)
          << made.name << " on " << p;
    }
  }
}

TEST(LocalProgram, receives_what_it_reduces_apart_from_what_is_there) {
  const LocalProgram program = program_of(doubling_allreduce(4), Rank{0});
  EXPECT_EQ(program.receives.at(0), (LocalMessage{0, Rank{1}, 1, 1, 1, 0, 1, 0}));
  EXPECT_EQ(program.receives.at(1), (LocalMessage{1, Rank{2}, 1, 4, 1, 0, 1, 1}));
  EXPECT_EQ(program.runs, (Runs{{Area::send, 0, 1},
                                {Area::scratch, 0, 1},
                                {Area::send, 0, 1},
                                {Area::scratch, 0, 1},
                                {Area::receive, 0, 1},
                                {Area::scratch, 0, 1}}));
}

TEST(LocalProgram, knows_on_which_side_a_value_arrives) {
  const LocalProgram program = program_of(ordered_allreduce(4), Rank{1});
  EXPECT_TRUE(program.receives.at(0).arrives_left);
  EXPECT_FALSE(program.receives.at(1).arrives_left);
  EXPECT_FALSE(program.sends.at(1).arrives_left);
}

TEST(LocalPrograms, reduce_in_the_order_of_the_ranks_if_the_schedule_does) {
  const auto fault_of = [](const CollectiveSchedule& made) {
    return first_replay_fault(local_programs(made.schedule, made.collective), made.collective, true);
  };
  EXPECT_EQ(fault_of(ordered_allreduce(8)), std::nullopt);
  EXPECT_EQ(fault_of(doubling_allreduce(8)), "a block is not where it belongs");
}

TEST(LocalProgram, copies_the_chunks_that_no_message_brings) {
  EXPECT_EQ(program_of(ring_allgather(3, 2), Rank{1}).own, (std::vector<OwnBlock>{{0, 2}, {1, 3}}));
  EXPECT_EQ(program_of(ring_allreduce(1, 2), Rank{0}).own, (std::vector<OwnBlock>{{0, 0}, {1, 1}}));
  EXPECT_EQ(program_of(ring_allreduce(3), Rank{1}).own, std::vector<OwnBlock>{});
}

TEST(LocalProgram, uses_little_scratch_for_chunks_that_it_does_not_keep) {
  for (std::uint32_t p = 2; p <= 64; p *= 2) {
    EXPECT_EQ(program_of(ring_allgather(p), Rank{1}).scratch_slots, 0U) << p;
    EXPECT_LE(program_of(ring_reduce_scatter(p), Rank{1}).scratch_slots, 2U) << p;
    EXPECT_LE(program_of(doubling_allreduce(p), Rank{1}).scratch_slots, 3U) << p;
    EXPECT_LE(program_of(halving_allreduce(p), Rank{1}).scratch_slots, p) << p;
  }
}

TEST(LocalProgram, refuses_a_collective_without_what_it_needs) {
  const auto complaint = [](const CollectiveSchedule& made, Rank rank) {
    return message_of([&] { program_of(made, rank); });
  };
  CollectiveSchedule lost = ring_allgather(3);
  lost.schedule.steps.pop_back();
  EXPECT_EQ(complaint(lost, Rank{0}), "local_program: rank 0: wants block 1 -> 1, which does not arrive");
  lost = ring_allgather(3);
  lost.schedule.steps.erase(lost.schedule.steps.begin());
  EXPECT_EQ(complaint(lost, Rank{0}), "local_program: rank 0: sends block 2 -> 2, which is not there");
  CollectiveSchedule with_nothing = ring_allgather(3);
  for (Message& message : with_nothing.schedule.steps.at(0)) message.reduces = true;
  EXPECT_EQ(complaint(with_nothing, Rank{0}),
            "local_program: rank 0: reduces block 2 -> 2, which is not there");
  CollectiveSchedule useless = ring_reduce_scatter(3);
  useless.schedule.steps.push_back({{Rank{0}, Rank{1}, {numbered_chunk(0)}}});
  EXPECT_EQ(complaint(useless, Rank{1}),
            "local_program: rank 1: receives block 0 -> 0, which it neither keeps nor sends on");
}

/// Returns the programs of an exchange in which ranks pass on blocks of other ranks.
std::vector<LocalProgram> with_scratch(ExchangeAlgorithm algorithm = ExchangeAlgorithm::binary) {
  const Placement placement(parse_grid("mesh:4x4"), parse_placement("identity"));
  return local_programs(exchange_schedule({algorithm, {}}, placement, {}));
}

/// Returns such programs that use the same scratch slots for several blocks.
std::vector<LocalProgram> with_scratch_used_again() {
  return with_scratch(ExchangeAlgorithm::store_and_forward);
}

TEST(ProgramReplay, finds_a_message_that_is_sent_before_its_blocks_have_arrived) {
  std::size_t found = 0;
  std::size_t changed = 0;
  for (std::size_t k = 0; k < with_scratch()[5].sends.size(); ++k) {
    auto programs = with_scratch();
    if (programs[5].sends[k].needs-- == 0) continue;
    ++changed;
    found += first_replay_fault(programs).has_value() ? std::size_t{1} : 0;
  }
  EXPECT_GT(changed, 0U);
  EXPECT_EQ(found, changed);
}

TEST(ProgramReplay, finds_a_receive_into_scratch_that_is_still_being_sent) {
  std::size_t found = 0;
  std::size_t changed = 0;
  for (std::size_t k = 0; k < with_scratch_used_again()[5].receives.size(); ++k) {
    auto programs = with_scratch_used_again();
    if (programs[5].receives[k].needs == 0) continue;
    programs[5].receives[k].needs = 0;
    ++changed;
    found += first_replay_fault(programs).has_value() ? std::size_t{1} : 0;
  }
  EXPECT_GT(changed, 0U);
  EXPECT_EQ(found, changed);
}

TEST(ProgramReplay, finds_a_message_that_arrives_where_another_one_is) {
  auto programs = with_scratch();
  std::size_t changed = 0;
  for (LocalMessage& message : programs[5].receives) {
    if (!message.arrives_in) continue;
    message.arrives_in = 0;
    ++changed;
  }
  EXPECT_GT(changed, 1U);
  EXPECT_NE(first_replay_fault(programs), std::nullopt);
}

TEST(ProgramReplay, finds_a_reduction_before_its_operand_has_arrived) {
  std::size_t found = 0;
  std::size_t changed = 0;
  const CollectiveSchedule made = rooted_allreduce(6);
  for (std::size_t k = 1; k < 5; ++k) {
    auto programs = local_programs(made.schedule, made.collective);
    ASSERT_GT(programs[0].receives.at(k).needs_receives, 0U);
    programs[0].receives[k].needs_receives = 0;
    ++changed;
    found += first_replay_fault(programs, made.collective).has_value() ? std::size_t{1} : 0;
  }
  EXPECT_EQ(found, changed);
}

TEST(ProgramReplay, finds_processes_that_wait_for_one_another) {
  auto programs = local_programs(swap_of_two);
  for (auto& program : programs) program.sends[0].needs = 1;
  EXPECT_EQ(first_replay_fault(programs), "processes wait for one another");
}

TEST(ProgramReplay, finds_blocks_in_wrong_places) {
  auto programs = local_programs(by_way_of_1);
  std::swap(programs[1].runs.at(programs[1].sends[0].first_run),
            programs[1].runs.at(programs[1].sends[0].first_run + 1));
  EXPECT_EQ(first_replay_fault(programs), "a block is not where it belongs");
  programs = local_programs(by_way_of_1);
  programs[0].runs.at(programs[0].receives[0].first_run).area = Area::send;
  EXPECT_EQ(first_replay_fault(programs), "a receive writes to what the process sends");
}

}  // namespace
}  // namespace cubefold
