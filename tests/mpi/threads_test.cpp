// Several threads of a process can use one handle.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "mpi/alltoall_plan.hpp"
#include "mpi/alltoall_request.hpp"
#include "support/exchange_world.hpp"

namespace cubefold::mpi {
namespace {

class Threads : public testing::Test, protected ExchangeWorld {
 protected:
  Threads() : ExchangeWorld(grids_of_world().back(), "identity") {}

  void SetUp() override {
    int provided = MPI_THREAD_SINGLE;
    MPI_Query_thread(&provided);
    if (provided < MPI_THREAD_MULTIPLE) GTEST_SKIP() << "this MPI has no MPI_THREAD_MULTIPLE";
  }
};

// A waiting thread advances all exchanges of the handle except those with call-backs of another thread.
TEST_F(Threads, have_their_call_backs_run_by_themselves) {
  const auto exchange = AlltoallPlan::make(comm, {.method = {ExchangeAlgorithm::direct, {}}});
  const auto send = sent(2000);
  for (int round = 0; round < 50; ++round) {
    std::vector<int> receive(send.size());
    auto request = exchange->start({send.data(), 2000, MPI_INT, receive.data(), 2000, MPI_INT});
    std::atomic<bool> is_waiting = false;
    std::thread waiting([&] {
      is_waiting = true;
      request->wait();
    });
    while (!is_waiting) std::this_thread::yield();
    int strange_calls = 0;
    int calls = 0;
    const auto here = std::this_thread::get_id();
    const auto count = [&] {
      ++calls;
      strange_calls += std::this_thread::get_id() == here ? 0 : 1;
    };
    exchange->run_packets(64, {[&](Rank, std::size_t, std::span<std::byte> packet) {
                                 count();
                                 std::fill(packet.begin(), packet.end(), std::byte{7});
                               },
                               [&](Rank, std::size_t, std::span<const std::byte> packet) {
                                 count();
                                 EXPECT_EQ(packet.front(), std::byte{7});
                               }});
    waiting.join();
    EXPECT_EQ(receive, expected(2000));
    EXPECT_EQ(calls, 2 * size);
    EXPECT_EQ(strange_calls, 0);
  }
}

TEST_F(Threads, wait_for_requests_of_one_handle_at_once) {
  const auto exchange = AlltoallPlan::make(comm, {.method = {ExchangeAlgorithm::direct, {}}});
  constexpr int thread_count = 4;
  for (int round = 0; round < 20; ++round) {
    std::vector<std::vector<int>> sends;
    std::vector<std::vector<int>> receives;
    std::vector<std::unique_ptr<AlltoallRequest>> requests;
    for (int count = 1; count <= thread_count; ++count) {
      sends.push_back(sent(100 * count));
      receives.emplace_back(sends.back().size());
      requests.push_back(exchange->start(
          {sends.back().data(), 100 * count, MPI_INT, receives.back().data(), 100 * count, MPI_INT}));
    }
    std::vector<std::thread> threads;
    for (const auto& request : requests) threads.emplace_back([&request] { request->wait(); });
    for (std::thread& thread : threads) thread.join();
    for (int count = 1; count <= thread_count; ++count)
      EXPECT_EQ(receives[static_cast<std::size_t>(count - 1)], expected(100 * count));
  }
}

}  // namespace
}  // namespace cubefold::mpi
