#include "mpi/plan_cache.hpp"
#include "mpi/alltoall_request.hpp"

#include <gtest/gtest.h>

#include "support/message_of.hpp"
#include "support/plan_cache_world.hpp"
#include "support/several_hosts.hpp"
#include "support/spread_type.hpp"
#include "support/variable.hpp"

namespace cubefold::mpi {
namespace {

class PlanCacheTest : public testing::Test, OneHost, protected PlanCacheWorld {};

using PlanCacheOnOneHost = PlanCacheTest;

TEST_F(PlanCacheOnOneHost, leave_all_to_mpi) {
  PlanCache plans(comm);
  for (const std::size_t bytes : {0U, 8U, 100'000U}) {
    const std::string text = plans.explain(bytes);
    EXPECT_TRUE(text.starts_with("blocks of " + std::to_string(bytes) + " bytes: " + shared_memory +
                                 plans.text_for(*plans.for_blocks(std::nullopt))))
        << text;
    EXPECT_TRUE(text.ends_with("\nallgather of " + std::to_string(bytes) +
                               " bytes: MPI's own function: all processes share the memory of one host\n"))
        << text;
    EXPECT_EQ(plans.for_blocks(bytes)->plan_in_use().setup().backend, Backend::mpi);
  }
}

TEST_F(PlanCacheOnOneHost, say_that_mpi_moves_unequal_blocks) {
  PlanCache plans(comm);
  const auto exchange = plans.for_blocks(std::nullopt);
  EXPECT_EQ(plans.text_for(*exchange), "unequal blocks: MPI's own all-to-all within its limits of size\n");
  const std::vector<int> counts(static_cast<std::size_t>(size), 3);
  std::vector<int> places(counts.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<int>(3 * i);
  const auto send = sent(3);
  std::vector<int> receive(send.size());
  exchange->run({send.data(), counts, places, MPI_INT, receive.data(), counts, places, MPI_INT});
  EXPECT_EQ(receive, expected(3));
  EXPECT_EQ(exchange->explain().rfind("MPI's own all-to-all the last time", 0), 0U) << exchange->explain();
}

TEST_F(PlanCacheOnOneHost, deliver_blocks_of_all_sizes) {
  PlanCache plans(comm);
  for (const int count : {1, 3, 1000, 3}) EXPECT_EQ(exchanged(plans, count), expected(count)) << count;
}

TEST_F(PlanCacheOnOneHost, deliver_in_place) {
  PlanCache plans(comm);
  auto buffer = sent(3);
  plans.for_blocks(12)->run({MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, buffer.data(), 3, MPI_INT});
  EXPECT_EQ(buffer, expected(3));
}

TEST_F(PlanCacheOnOneHost, leave_the_gaps_of_types_alone) {
  PlanCache plans(comm);
  const SpreadType type(3);
  const auto send = spread_out(sent(3));
  std::vector<int> receive(send.size(), -2);
  plans.for_blocks(12)->run({send.data(), 1, type.get(), receive.data(), 1, type.get()});
  EXPECT_EQ(receive, spread_out(expected(3)));
  std::vector<int> packed(send.size() / 2);
  plans.for_blocks(12)->run({send.data(), 1, type.get(), packed.data(), 3, MPI_INT});
  EXPECT_EQ(packed, expected(3));
  auto in_place = send;
  plans.for_blocks(12)->run({MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in_place.data(), 1, type.get()});
  EXPECT_EQ(in_place, spread_out(expected(3)));
}

TEST_F(PlanCacheOnOneHost, write_nothing_for_counts_of_0) {
  PlanCache plans(comm);
  std::vector<int> receive(static_cast<std::size_t>(size), 7);
  const auto untouched = receive;
  plans.for_blocks(0)->run({receive.data(), 0, MPI_INT, receive.data(), 0, MPI_INT});
  plans.for_blocks(0)->run({nullptr, 0, MPI_INT, nullptr, 0, MPI_INT});
  EXPECT_EQ(receive, untouched);
}

TEST_F(PlanCacheOnOneHost, have_exchanges_of_several_sizes_under_way) {
  PlanCache plans(comm);
  const auto few = sent(2);
  const auto many = sent(500);
  std::vector<int> first(few.size());
  std::vector<int> second(many.size());
  auto a = plans.for_blocks(8)->prepare({few.data(), 2, MPI_INT, first.data(), 2, MPI_INT});
  auto b = plans.for_blocks(2000)->prepare({many.data(), 500, MPI_INT, second.data(), 500, MPI_INT});
  plans.for_blocks(8)->start(*a);
  plans.for_blocks(2000)->start(*b);
  EXPECT_EQ(exchanged(plans, 3), expected(3)) << "MPI's all-to-all while others are under way";
  (rank % 2 == 0 ? a : b)->wait();
  (rank % 2 == 0 ? b : a)->wait();
  EXPECT_EQ(first, expected(2));
  EXPECT_EQ(second, expected(500));
}

TEST_F(PlanCacheOnOneHost, are_made_once_for_what_is_done_alike) {
  PlanCache plans(comm);
  const auto exchange = plans.for_blocks(8);
  EXPECT_EQ(plans.for_blocks(8), exchange);
  EXPECT_EQ(&plans.for_blocks(80'000)->plan_in_use(), &exchange->plan_in_use());
  EXPECT_EQ(plans.for_blocks(std::nullopt), plans.for_blocks(std::nullopt));
}

/// Tests how long the cache keeps the plan of long blocks, which short blocks do not share.
class BoundedPlanCache : public PlanCacheTest {
 protected:
  void SetUp() override {
    if (size < 4) GTEST_SKIP() << "so few processes share one plan for all sizes";
  }

  static void use_all_sizes_but_long_ones(PlanCache& plans) {
    for (std::size_t bytes = 1; bytes <= PlanCache::most_sizes; ++bytes) plans.for_blocks(bytes);
  }

  static constexpr int long_count = 1 << 14;
  static constexpr std::size_t long_bytes = long_count * sizeof(int);
  const Variable request{"CUBEFOLD_ALLTOALL", "direct"};
};

TEST_F(BoundedPlanCache, are_freed_when_many_other_sizes_were_used_and_made_again) {
  PlanCache plans(comm);
  const std::weak_ptr<const AlltoallPlan> first =
      plans.for_blocks(long_bytes)->plan_in_use().weak_from_this();
  EXPECT_FALSE(first.expired());
  use_all_sizes_but_long_ones(plans);
  EXPECT_TRUE(first.expired());
  EXPECT_EQ(exchanged(plans, long_count), expected(long_count));
}

TEST_F(BoundedPlanCache, stay_while_their_size_is_used) {
  PlanCache plans(comm);
  const std::weak_ptr<const AlltoallPlan> first =
      plans.for_blocks(long_bytes)->plan_in_use().weak_from_this();
  for (std::size_t bytes = 1; bytes <= 2 * PlanCache::most_sizes; ++bytes) {
    plans.for_blocks(bytes);
    plans.for_blocks(long_bytes);
  }
  EXPECT_FALSE(first.expired());
}

TEST_F(BoundedPlanCache, stay_with_requests_that_need_them) {
  PlanCache plans(comm);
  const auto send = sent(long_count);
  std::vector<int> receive(send.size());
  std::vector<int> other(send.size());
  auto prepared = plans.for_blocks(long_bytes)
                      ->prepare({send.data(), long_count, MPI_INT, receive.data(), long_count, MPI_INT});
  auto running = plans.for_blocks(long_bytes)
                     ->prepare({send.data(), long_count, MPI_INT, other.data(), long_count, MPI_INT});
  running->start();
  use_all_sizes_but_long_ones(plans);
  prepared->start();
  running->wait();
  prepared->wait();
  EXPECT_EQ(receive, expected(long_count));
  EXPECT_EQ(other, expected(long_count));
}

TEST_F(PlanCacheTest, find_block_sizes_that_differ_before_they_plan) {
  if (size == 1) GTEST_SKIP() << "one process has one size";
  const Variable checked("CUBEFOLD_CHECK", "1");
  PlanCache plans(comm);
  const int odd = size - 1;
  EXPECT_EQ(message_of([&] { plans.for_blocks(rank == odd ? 8 : 16); }),
            "process " + std::to_string(odd) + " of " + std::to_string(size) +
                ": block size '8' differs from '16' of process 0");
  EXPECT_EQ(exchanged(plans, 4), expected(4)) << "the next exchange suffers";
  EXPECT_EQ(message_of([&] { plans.for_blocks(rank == 0 ? 16 : 8); }),
            "process 1 of " + std::to_string(size) + ": block size '8' differs from '16' of process 0")
      << "sizes that are known already";
}

}  // namespace
}  // namespace cubefold::mpi
