// Memory that the processes of the world share, all on one host.

#include <gtest/gtest.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "mpi/shared_memory.hpp"
#include "support/failing_mpi.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {
namespace {

constexpr std::size_t bytes = 4096;

/// Returns the names of this library's memory objects, which the kernel shows as files.
std::vector<std::string> names_of_objects() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator("/dev/shm"))
    if (entry.path().filename().string().starts_with("cubefold-" + std::to_string(getpid()) + "-"))
      names.push_back(entry.path().filename());
  return names;
}

TEST(SharedMemory, shows_every_process_what_the_others_write_and_has_no_name) {
  const SharedMemory memory(MPI_COMM_WORLD, bytes);
  ASSERT_EQ(memory.bytes().size(), bytes);
  const auto own = static_cast<std::size_t>(world_rank());
  memory.bytes()[own] = static_cast<std::byte>(world_rank() + 1);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < world_size(); ++i)
    EXPECT_EQ(memory.bytes()[static_cast<std::size_t>(i)], static_cast<std::byte>(i + 1));
  EXPECT_EQ(names_of_objects(), std::vector<std::string>());
}

TEST(SharedMemory, is_freed_in_another_order_on_each_process) {
  constexpr std::size_t count = 3;
  std::vector<std::optional<SharedMemory>> memories(count);
  for (auto& memory : memories) memory.emplace(MPI_COMM_WORLD, bytes);
  const auto own = static_cast<std::size_t>(world_rank());
  for (std::size_t i = 0; i < count; ++i) {
    auto& memory = memories[(i + own) % count];
    std::ranges::fill(memory->bytes(), std::byte{1});  // other processes may have freed it
    memory.reset();
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

TEST(SharedMemory, is_refused_where_the_host_has_none_and_leaves_nothing) {
  const bool is_odd = world_rank() == 0;
  const FailingMpi failing("shm_open", is_odd ? FailingMpi::always : FailingMpi::never, MPI_ERR_NO_MEM);
  EXPECT_THROW(SharedMemory(MPI_COMM_WORLD, bytes), std::bad_alloc) << "the others have no object to open";
  EXPECT_EQ(names_of_objects(), std::vector<std::string>());
}

TEST(SharedMemory, is_refused_where_one_process_cannot_open_it) {
  const bool is_odd = world_rank() == world_size() - 1;
  const FailingMpi failing("shm_open", is_odd ? FailingMpi::always : FailingMpi::never, MPI_ERR_NO_MEM);
  if (is_odd || world_size() == 1) {
    EXPECT_THROW(SharedMemory(MPI_COMM_WORLD, bytes), std::bad_alloc);
  } else {
    EXPECT_NO_THROW(SharedMemory(MPI_COMM_WORLD, bytes));
  }
  EXPECT_EQ(names_of_objects(), std::vector<std::string>());
}

}  // namespace
}  // namespace cubefold::mpi
