#include "schedule/collective.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <utility>

#include "schedule/delivery.hpp"
#include "schedule/messages.hpp"
#include "schedule/mutations.hpp"
#include "support/collective_schedules.hpp"

namespace cubefold {
namespace {

using namespace mutations;
using Kind = DeliveryFault::Kind;

std::optional<DeliveryFault> fault_of(const CollectiveSchedule& made) {
  return first_delivery_fault(made.schedule, made.collective);
}

std::string line_of(const CollectiveSchedule& made) {
  const auto fault = fault_of(made);
  return fault ? describe(*fault) : "";
}

Message& message_at(CollectiveSchedule& made, std::size_t step, std::size_t index) {
  return made.schedule.steps.at(step).at(index);
}

/// Calls `use` for each schedule on 2 to 9 ranks that has messages.
template <typename Use>
void for_each_schedule(Use use) {
  for (std::uint32_t p = 2; p <= 9; ++p) {
    for (const CollectiveSchedule& made : collective_schedules(p)) {
      SCOPED_TRACE(made.name + " on " + std::to_string(p));
      use(made);
    }
  }
}

TEST(Collective, says_which_ranks_have_a_chunk_before_and_after_it) {
  const auto ranks = [](const auto& is_one, std::uint32_t chunk) {
    std::string result;
    for (std::uint32_t r = 0; r < 3; ++r) result += is_one(Rank{r}, numbered_chunk(chunk)) ? '1' : '0';
    return result;
  };
  const auto before = [&](const Collective& collective, std::uint32_t chunk) {
    return ranks([&](Rank r, const Block& c) { return collective.contributes(r, c); }, chunk);
  };
  const auto after = [&](const Collective& collective, std::uint32_t chunk) {
    return ranks([&](Rank r, const Block& c) { return collective.wants(r, c); }, chunk);
  };
  EXPECT_EQ(before(Collective::allgather(3, 2), 3), "010");
  EXPECT_EQ(after(Collective::allgather(3, 2), 3), "111");
  EXPECT_EQ(before(Collective::reduce_scatter(3, 2), 4), "111");
  EXPECT_EQ(after(Collective::reduce_scatter(3, 2), 4), "001");
  EXPECT_EQ(before(Collective::allreduce(3, 7), 6), "111");
  EXPECT_EQ(after(Collective::allreduce(3, 7), 6), "111");
  const auto exchange = Collective::complete_exchange(3);
  EXPECT_TRUE(exchange.contributes(Rank{1}, block(1, 2)));
  EXPECT_FALSE(exchange.contributes(Rank{2}, block(1, 2)));
  EXPECT_TRUE(exchange.wants(Rank{2}, block(1, 2)));
  EXPECT_FALSE(exchange.wants(Rank{1}, block(1, 2)));
}

TEST(Collective, has_the_chunks_below_its_count_or_the_blocks_between_ranks) {
  EXPECT_TRUE(Collective::allreduce(3, 7).has(numbered_chunk(6)));
  EXPECT_FALSE(Collective::allreduce(3, 7).has(numbered_chunk(7)));
  EXPECT_FALSE(Collective::allreduce(3, 7).has(block(0, 1)));
  EXPECT_TRUE(Collective::complete_exchange(3).has(block(0, 2)));
  EXPECT_FALSE(Collective::complete_exchange(3).has(block(0, 3)));
}

TEST(Collective, gives_a_chunk_its_place_in_the_buffers_of_mpi) {
  EXPECT_EQ(Collective::allgather(3, 2).send_slot(numbered_chunk(5)), 1U);
  EXPECT_EQ(Collective::allgather(3, 2).receive_slot(numbered_chunk(5)), 5U);
  EXPECT_EQ(Collective::reduce_scatter(3, 2).send_slot(numbered_chunk(5)), 5U);
  EXPECT_EQ(Collective::reduce_scatter(3, 2).receive_slot(numbered_chunk(5)), 1U);
  EXPECT_EQ(Collective::allreduce(3, 7).send_slot(numbered_chunk(5)), 5U);
  EXPECT_EQ(Collective::allreduce(3, 7).receive_slot(numbered_chunk(5)), 5U);
  EXPECT_EQ(Collective::complete_exchange(3).send_slot(block(1, 2)), 2U);
  EXPECT_EQ(Collective::complete_exchange(3).receive_slot(block(1, 2)), 1U);
}

TEST(DeliveryOfCollectives, finds_nothing_in_rings_and_in_doubling) {
  for_each_schedule([](const CollectiveSchedule& made) { EXPECT_EQ(line_of(made), ""); });
}

TEST(DeliveryOfCollectives, finds_nothing_where_one_rank_has_all_that_it_wants) {
  for (const CollectiveSchedule& made : collective_schedules(1)) EXPECT_EQ(line_of(made), "") << made.name;
}

TEST(DeliveryOfCollectives, judges_a_schedule_by_what_it_is_for) {
  EXPECT_EQ(line_of({"", Collective::allreduce(3, 3), ring_reduce_scatter(3).schedule}),
            "step 2: rank 0 is left at the end without the contribution of rank 1 to chunk 1");
  EXPECT_EQ(line_of({"", Collective::reduce_scatter(3), ring_allgather(3).schedule}),
            "step 2: rank 0 is left at the end without the contribution of rank 1 to chunk 0");
  EXPECT_EQ(line_of({"", Collective::allgather(3), ring_reduce_scatter(3).schedule}),
            "step 0: rank 0 sends but does not hold chunk 2");
  EXPECT_EQ(line_of({"", Collective::complete_exchange(3), ring_allgather(3).schedule}),
            "step 0: rank 0 is the destination but sends away chunk 0");
}

TEST(DeliveryOfCollectives, finds_any_message_that_is_left_out) {
  for_each_schedule([](const CollectiveSchedule& made) {
    for (std::size_t s = 0; s < made.schedule.steps.size(); ++s) {
      for (std::size_t m = 0; m < made.schedule.steps[s].size(); ++m) {
        CollectiveSchedule broken = made;
        taken_out(broken.schedule, {s, m});
        EXPECT_TRUE(fault_of(broken)) << s << ' ' << m;
      }
    }
  });
}

/// Returns whether a schedule is right, by counting how often each rank has each contribution to each chunk. This is
/// slow and simple, and shares no code with DeliveryCheck.
bool is_right(const CollectiveSchedule& made) {
  const std::size_t p = made.schedule.rank_count;
  const std::size_t chunk_count = made.collective.chunk_count();
  std::vector<std::map<std::uint32_t, std::multiset<std::size_t>>> held(p);
  for (std::uint32_t r = 0; r < p; ++r) {
    for (std::uint32_t c = 0; c < chunk_count; ++c) {
      if (made.collective.contributes(Rank{r}, numbered_chunk(c))) held[r][c] = {r};
    }
  }
  for (const Step& step : made.schedule.steps) {
    const auto before = held;
    std::set<std::pair<Rank, Rank>> arrived;
    for (const Message& message : step) {
      for (const Block& chunk : message.blocks) {
        const auto value = before[label(message.from)].find(label(chunk.source));
        if (value == before[label(message.from)].end()) return false;
        if (!arrived.insert({message.to, chunk.source}).second) return false;
        auto& own = held[label(message.to)][label(chunk.source)];
        if (message.reduces && own.empty()) return false;
        if (!message.reduces) own.clear();
        own.insert(value->second.begin(), value->second.end());
        if (std::set(own.begin(), own.end()).size() < own.size()) return false;
      }
    }
  }
  for (std::uint32_t r = 0; r < p; ++r) {
    for (std::uint32_t c = 0; c < chunk_count; ++c) {
      std::multiset<std::size_t> all;
      for (std::uint32_t from = 0; from < p; ++from) {
        if (made.collective.contributes(Rank{from}, numbered_chunk(c))) all.insert(from);
      }
      if (made.collective.wants(Rank{r}, numbered_chunk(c)) && held[r][c] != all) return false;
    }
  }
  return true;
}

// A message to another rank can be right: that rank may pass the contributions on, as part of a reduction.
TEST(DeliveryOfCollectives, agrees_with_counting_on_every_message_to_another_rank) {
  std::size_t right = 0;
  for_each_schedule([&](const CollectiveSchedule& made) {
    std::mt19937 chance(1);
    for (std::size_t s = 0; s < made.schedule.steps.size() && made.schedule.rank_count > 2; ++s) {
      for (std::size_t m = 0; m < made.schedule.steps[s].size(); ++m) {
        CollectiveSchedule broken = made;
        Message& message = message_at(broken, s, m);
        message.to = any_rank_but({message.from, message.to}, made.schedule.rank_count, chance);
        EXPECT_EQ(!fault_of(broken), is_right(broken)) << s << ' ' << m << ": " << line_of(broken);
        right += is_right(broken) ? 1U : 0U;
        EXPECT_TRUE(fault_of(broken) || made.name != "ring allgather") << s << ' ' << m;
      }
    }
  });
  EXPECT_GT(right, 0U);
}

TEST(DeliveryOfCollectives, agrees_with_counting_on_random_changes) {
  for_each_schedule([](const CollectiveSchedule& made) {
    std::mt19937 chance(2);
    for (int change = 0; change < 100; ++change) {
      CollectiveSchedule broken = made;
      const Place place = any_place(made.schedule, chance);
      Message message = at(broken.schedule, place);
      if (change % 5 != 0) taken_out(broken.schedule, place);
      if (change % 2 == 0) message.from = any_rank_but({message.to}, made.schedule.rank_count, chance);
      if (change % 3 == 0) message.reduces = !message.reduces;
      broken.schedule.steps[any_below(made.schedule.steps.size(), chance)].push_back(message);
      EXPECT_EQ(!fault_of(broken), is_right(broken)) << line_of(broken);
    }
  });
}

TEST(DeliveryOfCollectives, finds_any_reduction_in_place_of_a_copy_and_the_reverse) {
  for_each_schedule([](const CollectiveSchedule& made) {
    for (std::size_t s = 0; s < made.schedule.steps.size(); ++s) {
      for (std::size_t m = 0; m < made.schedule.steps[s].size(); ++m) {
        CollectiveSchedule broken = made;
        Message& message = message_at(broken, s, m);
        message.reduces = !message.reduces;
        EXPECT_TRUE(fault_of(broken)) << s << ' ' << m;
      }
    }
  });
}

TEST(DeliveryOfCollectives, names_the_contribution_that_comes_twice) {
  CollectiveSchedule twice = doubling_allreduce(4);
  twice.schedule.steps.at(1) = twice.schedule.steps.at(0);
  EXPECT_EQ(fault_of(twice),
            (DeliveryFault{Kind::contribution_twice, 1, Rank{1}, numbered_chunk(0), Rank{0}}));
  EXPECT_EQ(line_of(twice), "step 1: rank 1 has already the contribution of rank 0 to chunk 0");
  CollectiveSchedule reduced_again = ring_allreduce(5);
  for (Message& message : reduced_again.schedule.steps.at(4)) message.reduces = true;
  EXPECT_EQ(line_of(reduced_again), "step 4: rank 1 has already the contribution of rank 1 to chunk 0");
}

TEST(DeliveryOfCollectives, names_the_contribution_that_is_missing) {
  CollectiveSchedule copied = ring_reduce_scatter(4);
  message_at(copied, 1, 2).reduces = false;  // from rank 2 to rank 3, whose contribution to chunk 0 is lost
  EXPECT_EQ(line_of(copied),
            "step 3: rank 0 is left at the end without the contribution of rank 3 to chunk 0");
  CollectiveSchedule lost = ring_allgather(3);
  lost.schedule.steps.pop_back();
  EXPECT_EQ(line_of(lost), "step 1: rank 0 is left at the end without the contribution of rank 1 to chunk 1");
}

TEST(DeliveryOfCollectives, finds_a_reduction_with_nothing) {
  CollectiveSchedule made = ring_allgather(3);
  message_at(made, 0, 0).reduces = true;
  EXPECT_EQ(line_of(made), "step 0: rank 1 holds nothing to reduce with chunk 0");
  EXPECT_EQ(line_of({"", Collective::complete_exchange(2), {2, {{{Rank{0}, Rank{1}, {block(0, 1)}, true}}}}}),
            "step 0: rank 1 holds nothing to reduce with block 0 -> 1");
}

TEST(DeliveryOfCollectives, finds_two_messages_of_a_step_whose_order_matters) {
  CollectiveSchedule made = rooted_allreduce(3);
  auto& steps = made.schedule.steps;
  steps.at(0).push_back(taken_out(made.schedule, {1, 0}));
  EXPECT_EQ(line_of(made), "step 0: rank 0 receives twice in the step chunk 0");
}

TEST(DeliveryOfCollectives, lets_no_chunk_pass_through_two_ranks_in_one_step) {
  CollectiveSchedule made = ring_allgather(3);
  auto& steps = made.schedule.steps;
  steps.at(0).insert(steps.at(0).end(), steps.at(1).begin(), steps.at(1).end());
  EXPECT_EQ(line_of(made), "step 0: rank 0 sends but does not hold chunk 2");
}

TEST(DeliveryOfCollectives, finds_ranks_and_chunks_that_do_not_exist) {
  CollectiveSchedule made = ring_allreduce(3);
  message_at(made, 0, 1).to = Rank{3};
  EXPECT_EQ(fault_of(made)->kind, Kind::no_such_rank);
  made = ring_allreduce(3);
  message_at(made, 0, 1).blocks = {numbered_chunk(3)};
  EXPECT_EQ(fault_of(made)->kind, Kind::no_such_rank);
  message_at(made, 0, 1).blocks = {block(0, 1)};
  EXPECT_EQ(fault_of(made)->kind, Kind::no_such_rank);
}

std::string line_of_order(const CollectiveSchedule& made) {
  const auto fault = first_value_out_of_order(made.schedule, made.collective);
  return fault ? describe(*fault) : "";
}

TEST(OrderOfCollectives, is_kept_by_doubling_from_the_lowest_bit_with_lower_ranks_on_the_left) {
  for (const std::uint32_t p : {1U, 2U, 4U, 8U, 128U})
    EXPECT_EQ(line_of_order(ordered_allreduce(p)), "") << p;
  for (const std::uint32_t p : {1U, 2U, 5U}) EXPECT_EQ(line_of_order(ring_allgather(p)), "");
}

TEST(OrderOfCollectives, is_lost_in_rings_and_by_the_highest_bit_first) {
  EXPECT_EQ(line_of_order(ring_reduce_scatter(3)),
            "step 2: rank 0 has reduced operands that are not in the order of the ranks of chunk 0");
  CollectiveSchedule highest_first = ordered_allreduce(8);
  std::ranges::reverse(highest_first.schedule.steps);
  EXPECT_EQ(line_of(highest_first), "");
  EXPECT_EQ(line_of_order(highest_first),
            "step 3: rank 0 has reduced operands that are not in the order of the ranks of chunk 0");
}

TEST(OrderOfCollectives, is_lost_if_any_message_arrives_on_the_other_side) {
  for (const std::uint32_t p : {2U, 4U, 8U, 16U}) {
    const CollectiveSchedule made = ordered_allreduce(p);
    for (std::size_t s = 0; s < made.schedule.steps.size(); ++s) {
      for (std::size_t m = 0; m < made.schedule.steps[s].size(); ++m) {
        CollectiveSchedule broken = made;
        Message& message = message_at(broken, s, m);
        message.arrives_left = !message.arrives_left;
        EXPECT_EQ(line_of(broken), "");
        EXPECT_NE(line_of_order(broken), "") << p << ' ' << s << ' ' << m;
      }
    }
  }
}

TEST(ReducedValues, know_whether_the_ranks_of_one_are_below_those_of_another) {
  ReducedValues values(200);
  const auto leaf = [](std::uint32_t r) { return ReducedValues::of(Rank{r}); };
  EXPECT_TRUE(values.are_in_order(leaf(3), leaf(4)));
  EXPECT_FALSE(values.are_in_order(leaf(4), leaf(3)));
  EXPECT_TRUE(values.are_in_order(leaf(63), leaf(64)));
  EXPECT_FALSE(values.are_in_order(leaf(64), leaf(63)));
  const auto pair = values.reduced(leaf(3), leaf(130));
  EXPECT_TRUE(values.are_in_order(pair, leaf(131)));
  EXPECT_TRUE(values.are_in_order(leaf(2), pair));
  EXPECT_FALSE(values.are_in_order(pair, leaf(70)));
  EXPECT_FALSE(values.are_in_order(leaf(70), pair));
}

TEST(ReducedValues, are_equal_if_their_trees_are) {
  ReducedValues values(100);
  const auto leaf = [](std::uint32_t r) { return ReducedValues::of(Rank{r}); };
  const auto pair = values.reduced(leaf(3), leaf(70));
  EXPECT_EQ(pair, values.reduced(leaf(70), leaf(3)));
  const auto left = values.reduced(pair, leaf(99));
  EXPECT_NE(left, values.reduced(leaf(3), values.reduced(leaf(70), leaf(99))));
  EXPECT_EQ(values.common(left, pair), Rank{3});
  EXPECT_EQ(values.common(pair, leaf(99)), std::nullopt);
  EXPECT_TRUE(values.contains(left, Rank{70}));
  EXPECT_FALSE(values.contains(left, Rank{71}));
  EXPECT_FALSE(values.contains(ReducedValues::none, Rank{0}));
}

}  // namespace
}  // namespace cubefold
