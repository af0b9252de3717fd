#include "mpi/request_set.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "support/world.hpp"

namespace {

int poll_count = 0;

}  // namespace

// This function takes the place of MPI's own in this program.
int MPI_Testsome(int incount, MPI_Request requests[], int* outcount, int indices[], MPI_Status statuses[]) {
  ++poll_count;
  return PMPI_Testsome(incount, requests, outcount, indices, statuses);
}

namespace cubefold::mpi {
namespace {

enum Tag : int { of_long_message, of_short_message };

/// Posts a receive on process 0 from process 1. The tests destroy its set while it is under way.
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
  constexpr unsigned most_polls = 3;
  const auto polls_of_end_some = [&] {
    poll_count = 0;
    set->end_some([](int, const MPI_Status&) {}, most_polls);
    return poll_count;
  };
  if (world_rank() == 0) {
    EXPECT_EQ(polls_of_end_some(), most_polls);
    EXPECT_FALSE(set->empty());
  }
  MPI_Barrier(MPI_COMM_WORLD);
  // MPI delivers the short message before the signal, which is sent after it.
  if (world_rank() == 1) MPI_Send("m", 1, MPI_CHAR, 0, of_long_message, MPI_COMM_WORLD);
  signal(1, 0);
  if (world_rank() == 0) {
    EXPECT_EQ(polls_of_end_some(), 1);
    EXPECT_TRUE(set->empty());
  }
}

}  // namespace
}  // namespace cubefold::mpi
