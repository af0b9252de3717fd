#include "mpi/request_set.hpp"
#include "mpi/waiting.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <vector>

#include "support/counted_calls.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {
namespace {

enum Tag : int { of_long_message, of_short_message };

/// Posts a receive on process 0 from process 1. Most tests destroy its set while it is under way.
class RequestSetTest : public testing::Test {
 protected:
  RequestSetTest() {
    set.emplace();
    if (world_rank() == 0)
      set->receive(0, memory.data(), static_cast<int>(memory.size()), 1, of_long_message, MPI_COMM_WORLD);
  }

  static void signal(int from, int to) {
    if (world_rank() == from) MPI_Send(nullptr, 0, MPI_BYTE, to, of_short_message, MPI_COMM_WORLD);
    if (world_rank() == to)
      MPI_Recv(nullptr, 0, MPI_BYTE, from, of_short_message, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }

  static bool are_all(const std::vector<char>& values, char value) {
    return std::all_of(values.begin(), values.end(), [&](char each) { return each == value; });
  }

  std::vector<char> memory = std::vector<char>(8 << 20);  // too long to arrive before process 1 waits
  std::optional<RequestSet<int>> set;
};

// The message is matched before the signal that process 1 sends after it arrives. Its bytes arrive while process 1
// waits.
TEST_F(RequestSetTest, leaves_memory_alone_once_it_is_gone) {
  const std::vector<char> message(memory.size(), 'm');
  if (world_rank() == 1) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Isend(message.data(), static_cast<int>(message.size()), MPI_CHAR, 0, of_long_message, MPI_COMM_WORLD,
              &request);
    signal(1, 0);
    signal(0, 1);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else if (world_rank() == 0) {
    signal(1, 0);
    signal(0, 1);
    set.reset();
    std::fill(memory.begin(), memory.end(), 'x');
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank() == 0) {
    EXPECT_TRUE(are_all(memory, 'x'));
  }
}

TEST_F(RequestSetTest, leaves_a_message_that_comes_later_to_other_receives) {
  set.reset();
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank() == 1) {
    const std::vector<char> message(memory.size(), 'm');
    MPI_Send(message.data(), static_cast<int>(message.size()), MPI_CHAR, 0, of_long_message, MPI_COMM_WORLD);
  } else if (world_rank() == 0) {
    std::vector<char> received(memory.size());
    MPI_Recv(received.data(), static_cast<int>(received.size()), MPI_CHAR, 1, of_long_message, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    EXPECT_TRUE(are_all(received, 'm'));
    EXPECT_TRUE(are_all(memory, '\0'));
  }
}

TEST_F(RequestSetTest, polls_until_a_message_is_over_but_not_more_often_than_it_may) {
  constexpr int most_polls = 3;
  const auto polls_of_end_some = [&] {
    counted_calls().polls = 0;
    set->end_some([](int, const MPI_Status&) {}, most_polls);
    return counted_calls().polls.load();
  };
  if (world_rank() == 0) {
    EXPECT_EQ(polls_of_end_some(), most_polls);
    EXPECT_FALSE(set->empty());
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank() == 1) MPI_Send("m", 1, MPI_CHAR, 0, of_long_message, MPI_COMM_WORLD);
  if (world_rank() == 0) {
    while (!set->empty()) {
      empty_polls = 1;
      EXPECT_LE(polls_of_end_some(), most_polls);
    }
    EXPECT_GE(counted_calls().polls, 2);
    counted_calls().polls = 0;
    EXPECT_FALSE(set->end_some([](int, const MPI_Status&) {}, most_polls));
    EXPECT_EQ(counted_calls().polls, 0);
  }
}

/// A clock that counts how often it is read.
struct CountedClock {
  BackOff::Clock::time_point time;
  int look_count = 0;

  BackOff::Clock::time_point operator()() {
    ++look_count;
    return time;
  }
};

using std::chrono::milliseconds;

class BackOffTest : public testing::Test {
 protected:
  auto pause_after(unsigned idle_polls) { return back_off.pause_after(idle_polls, std::ref(clock)); }

  /// Lets `polls` polls find nothing, and returns the pauses after them.
  std::vector<BackOff::Clock::duration> idle_for(int polls) {
    std::vector<BackOff::Clock::duration> pauses;
    for (int i = 0; i < polls; ++i) {
      if (const auto pause = pause_after(1)) pauses.push_back(*pause);
    }
    return pauses;
  }

  static constexpr BackOff::Clock::duration a_yield{0};
  BackOff back_off{milliseconds(4), milliseconds(1)};
  CountedClock clock;
};

TEST_F(BackOffTest, yields_with_every_16th_idle_poll_and_reads_the_clock_only_then) {
  EXPECT_TRUE(idle_for(15).empty());
  EXPECT_EQ(clock.look_count, 0);
  EXPECT_EQ(idle_for(1), std::vector{a_yield});
  EXPECT_TRUE(idle_for(15).empty());
  EXPECT_EQ(pause_after(1), a_yield);
  EXPECT_EQ(clock.look_count, 2);
}

TEST_F(BackOffTest, counts_the_polls_of_a_call) {
  for (int i = 0; i < 3; ++i) EXPECT_EQ(pause_after(4), std::nullopt);
  EXPECT_EQ(pause_after(4), a_yield);
}

TEST_F(BackOffTest, sleeps_after_each_poll_of_a_long_wait_for_a_part_of_the_time_waited) {
  idle_for(16);
  clock.time += milliseconds(4);
  EXPECT_EQ(idle_for(16), std::vector{BackOff::Clock::duration(milliseconds(4)) / 32});
  EXPECT_TRUE(back_off.is_long());
  clock.time += milliseconds(4);
  EXPECT_EQ(pause_after(1), BackOff::Clock::duration(milliseconds(8)) / 32);
  clock.time += milliseconds(1000);
  EXPECT_EQ(pause_after(1), milliseconds(1));
}

TEST_F(BackOffTest, begins_anew_when_anything_happens) {
  idle_for(16);
  clock.time += milliseconds(4);
  idle_for(16);
  EXPECT_EQ(pause_after(0), std::nullopt);
  EXPECT_FALSE(back_off.is_long());
  EXPECT_TRUE(idle_for(15).empty());
  EXPECT_EQ(pause_after(1), a_yield);
}

}  // namespace
}  // namespace cubefold::mpi
