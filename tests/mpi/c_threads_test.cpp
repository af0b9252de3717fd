// Several threads of a process use handles through the C interface, as cubefold.h allows.

#include <gtest/gtest.h>

#include <thread>

#include "cubefold/cubefold.h"
#include "support/numbered_blocks.hpp"
#include "support/variable.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {
namespace {

/// The parameter is the value of CUBEFOLD_ALLTOALL.
class CThreads : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    int provided = MPI_THREAD_SINGLE;
    MPI_Query_thread(&provided);
    if (provided < MPI_THREAD_MULTIPLE) GTEST_SKIP() << "this MPI has no MPI_THREAD_MULTIPLE";
  }

  static cubefold_comm handle_on(MPI_Comm comm) {
    cubefold_comm made = nullptr;
    EXPECT_EQ(cubefold_comm_create(comm, ring_of_world().c_str(), "identity", &made), CUBEFOLD_SUCCESS);
    return made;
  }

  const Variable method_{"CUBEFOLD_ALLTOALL", GetParam()};
  const int rank_ = world_rank();
  const int size_ = world_size();
};

/// An exchange of blocks of `count` numbers.
struct ExchangeOfThread {
  ExchangeOfThread(int rank, int size, int number_count)
      : count(number_count),
        sent(sent_by(rank, size, count)),
        expected(received_by(rank, size, count)),
        received(sent.size()) {}

  void start(cubefold_comm comm) {
    EXPECT_EQ(
        cubefold_ialltoall(sent.data(), count, MPI_INT, received.data(), count, MPI_INT, comm, &request),
        CUBEFOLD_SUCCESS);
  }
  void wait() {
    EXPECT_EQ(cubefold_wait(&request), CUBEFOLD_SUCCESS);
    EXPECT_EQ(request, nullptr);
    EXPECT_EQ(received, expected);
  }
  void test_until_over() {
    for (int is_over = 0; is_over == 0; std::this_thread::yield()) {
      ASSERT_EQ(cubefold_test(&request, &is_over), CUBEFOLD_SUCCESS);
    }
    EXPECT_EQ(received, expected);
  }
  void run(cubefold_comm comm) {
    EXPECT_EQ(cubefold_alltoall(sent.data(), count, MPI_INT, received.data(), count, MPI_INT, comm),
              CUBEFOLD_SUCCESS);
    EXPECT_EQ(received, expected);
  }

  int count;
  std::vector<int> sent;
  std::vector<int> expected;
  std::vector<int> received;
  cubefold_request request = nullptr;
};

// The starting thread goes on to exchange on the handle while the others wait.
TEST_P(CThreads, wait_for_requests_that_one_thread_starts_on_one_handle) {
  cubefold_comm comm = handle_on(MPI_COMM_WORLD);
  for (int round = 0; round < 20; ++round) {
    std::vector<ExchangeOfThread> exchanges;
    for (const int count : {1, 300, 2000, 20'000}) exchanges.emplace_back(rank_, size_, count);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < exchanges.size(); ++i) {
      exchanges[i].start(comm);
      threads.emplace_back([&exchange = exchanges[i], tests = i % 2 == 0] {
        if (tests) {
          exchange.test_until_over();
        } else {
          exchange.wait();
        }
      });
      ExchangeOfThread(rank_, size_, 500 + round).run(comm);
    }
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(cubefold_comm_free(&comm), CUBEFOLD_SUCCESS);
}

TEST_P(CThreads, use_a_handle_each_at_the_same_time) {
  constexpr std::size_t thread_count = 3;
  std::vector<cubefold_comm> handles;
  for (std::size_t i = 0; i < thread_count; ++i) handles.push_back(handle_on(MPI_COMM_WORLD));
  std::vector<std::thread> threads;
  for (cubefold_comm& handle : handles) {
    threads.emplace_back([this, &handle] {
      for (int round = 0; round < 20; ++round) {
        ExchangeOfThread blocking(rank_, size_, 100 * (round % 4 + 1));
        ExchangeOfThread other(rank_, size_, 3000);
        other.start(handle);
        blocking.run(handle);
        other.wait();
      }
      // A failure is told to the thread in which it happens.
      EXPECT_EQ(cubefold_to_virtual(handle, 0, nullptr), CUBEFOLD_ERROR_ARGUMENT);
      EXPECT_EQ(std::string(cubefold_last_error()),
                "cubefold_to_virtual: the pointer for the result is NULL");
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_STREQ(cubefold_last_error(), "");
  for (cubefold_comm& handle : handles) EXPECT_EQ(cubefold_comm_free(&handle), CUBEFOLD_SUCCESS);
}

INSTANTIATE_TEST_SUITE_P(Methods, CThreads, testing::Values("mpi", "direct"),
                         [](const auto& method) { return std::string(method.param); });

}  // namespace
}  // namespace cubefold::mpi
