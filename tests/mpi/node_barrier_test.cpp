// Meetings of threads, which stand for the processes of a node.

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <stdexcept>
#include <thread>
#include <vector>

#include "mpi/shared_memory.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {
namespace {

constexpr std::size_t most_threads = 8;

struct alignas(64) Memory {
  std::byte bytes[1024];  // NOLINT(modernize-avoid-c-arrays): the memory of a window has no type
};

TEST(NodeBarrier, lets_nobody_go_before_all_have_come) {
  if (world_size() > 1)
    GTEST_SKIP() << "runs on one process, whose threads stand for the processes of a node";
  constexpr int meetings = 300;
  for (std::size_t count = 1; count <= most_threads; ++count) {
    Memory memory{};
    ASSERT_LE(NodeBarrier::bytes(count), sizeof(memory.bytes));
    std::vector<NodeBarrier> places;
    for (std::size_t i = 0; i < count; ++i) places.emplace_back(memory.bytes, count, i);
    std::atomic<int> come = 0;
    std::atomic<int> early = 0;
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < count; ++i) {
      threads.emplace_back([&, i] {
        for (int meeting = 1; meeting <= meetings; ++meeting) {
          ++come;
          places[i].wait([] {});
          if (come < meeting * static_cast<int>(count)) ++early;
          places[i].wait([] {});
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(early, 0) << count;
  }
}

TEST(NodeBarrier, looks_around_while_it_waits_and_passes_on_what_is_thrown) {
  Memory memory{};
  NodeBarrier first(memory.bytes, 2, 0);
  int looks = 0;
  EXPECT_THROW(first.wait([&] {
    if (++looks == 3) throw std::runtime_error("the other has failed");
  }),
               std::runtime_error);
  EXPECT_EQ(looks, 3);
}

}  // namespace
}  // namespace cubefold::mpi
