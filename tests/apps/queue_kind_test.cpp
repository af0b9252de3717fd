#include "calibrate/queue_kind.hpp"

#include <gtest/gtest.h>

namespace {

using cubefold::Queues;

TEST(QueueKind, is_lossy_where_messages_to_one_node_take_longer_at_once_than_in_turn) {
  for (const double alpha : {1e-6, 1e-4}) {
    EXPECT_EQ(queue_kind(Overload{1.3, 1}, alpha), Queues::lossy);
    EXPECT_EQ(queue_kind(Overload{0.02, 1e-3}, alpha), Queues::lossy);
  }
}

TEST(QueueKind, is_lossless_where_they_do_not_and_no_tcp_is_so_fast) {
  EXPECT_EQ(queue_kind(Overload{1, 1}, 9.9e-6), Queues::lossless);
  EXPECT_EQ(queue_kind(Overload{1.29, 1}, 1e-6), Queues::lossless);
  EXPECT_EQ(queue_kind(Overload{0.3, 1}, 10e-6), Queues::unknown);
  EXPECT_EQ(queue_kind(Overload{0.3, 1}, 3e-4), Queues::unknown);
}

TEST(QueueKind, takes_less_than_a_millisecond_for_noise) {
  EXPECT_EQ(queue_kind(Overload{1.2e-3, 0.3e-3}, 1e-6), Queues::lossless);
  EXPECT_EQ(queue_kind(Overload{1.2e-3, 0.3e-3}, 1e-4), Queues::unknown);
}

TEST(QueueKind, is_unknown_without_a_measurement) {
  EXPECT_EQ(queue_kind(std::nullopt, 1e-6), Queues::unknown);
}

}  // namespace
