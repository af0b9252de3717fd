// Channels do not wait for each other: while a process reduces what one has brought, messages of others are under way.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "collective/channel_order.hpp"
#include "collective/vector_on_nodes.hpp"
#include "schedule/local_program.hpp"
#include "support/program_replay.hpp"

namespace cubefold {
namespace {

/// Returns the program of rank 0 of an allreduce on a ring of 8.
LocalProgram program_of_ring(const char* method) {
  const Placement ring(parse_grid("ring:8"), {});
  const VectorMethod parsed = parse_vector_method(method);
  const Schedule part = vector_parts(VectorCollective::allreduce, parsed, ring).part(Rank{0});
  return local_program(in_channel_order(part, parsed.channel_count), Rank{0},
                       collective_of(VectorCollective::allreduce, parsed, 8), ScratchSlots::of_one_chunk);
}

/// Returns the number of messages of the step before its own that each send does not wait for, in order.
std::vector<std::uint32_t> receives_that_may_be_under_way(const LocalProgram& program) {
  std::vector<std::uint32_t> counts;
  for (const LocalMessage& send : program.sends) {
    const auto before = std::ranges::count_if(
        program.receives, [&](const LocalMessage& received) { return received.step < send.step; });
    counts.push_back(static_cast<std::uint32_t>(before) -
                     std::min(send.needs, static_cast<std::uint32_t>(before)));
  }
  return counts;
}

// Channels 0 and 2 of a ring go round in the same direction, as two halves of what one channel would send.
TEST(ChannelOverlap, a_send_waits_only_for_its_own_channel_and_those_before_it) {
  const auto open = receives_that_may_be_under_way(program_of_ring("bucket:4"));
  ASSERT_EQ(open.size(), 4U * 14);
  for (std::size_t send = 4; send < open.size(); ++send) EXPECT_EQ(open[send], 3 - send % 4) << send;
}

TEST(ChannelOverlap, messages_in_the_order_of_channels_bring_all_contributions) {
  for (const std::size_t per_node : {std::size_t{1}, std::size_t{2}}) {
    const NodeSharing sharing(Placement(parse_grid("torus:2x2"), {}), per_node);
    for (const VectorCollective collective : all_vector_collectives) {
      for (const VectorMethod& method : vector_methods(collective, sharing, Ports::all)) {
        const ExchangeParts parts = vector_parts(collective, method, sharing);
        const Collective chunks = collective_of(collective, method, sharing);
        std::vector<LocalProgram> programs;
        for (std::uint32_t r = 0; r < sharing.rank_count(); ++r) {
          programs.push_back(local_program(in_channel_order(parts.part(Rank{r}), method.channel_count),
                                           Rank{r}, chunks, ScratchSlots::of_one_chunk));
        }
        EXPECT_EQ(first_replay_fault(programs, chunks), std::nullopt) << to_string(method);
      }
    }
  }
}

TEST(ChannelOverlap, one_channel_waits_for_all_that_has_been_sent) {
  for (const std::uint32_t count : receives_that_may_be_under_way(program_of_ring("bucket")))
    EXPECT_EQ(count, 0U);
}

}  // namespace
}  // namespace cubefold
