#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <span>

#include "mpi/alltoall_plan.hpp"
#include "mpi/alltoall_run.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {
namespace {

constexpr std::size_t mib = 1 << 20;

/// Provides long blocks in little memory: each block is one short piece of memory, mapped repeatedly. The length of the
/// piece is no power of two, so data that arrive 2^31 bytes off are detected.
class LongBlocks {
 public:
  LongBlocks(std::size_t block_count, std::size_t block_bytes) : block_bytes_(block_bytes) {
    auto* at = static_cast<std::byte*>(mmap(nullptr, block_count * block_bytes, PROT_NONE,
                                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    whole_ = {at, block_count * block_bytes};
    for (std::size_t block = 0; block < block_count; ++block) map(at + block * block_bytes);
  }
  LongBlocks(const LongBlocks&) = delete;
  LongBlocks& operator=(const LongBlocks&) = delete;
  ~LongBlocks() { munmap(whole_.data(), whole_.size()); }

  void* memory() { return whole_.data(); }
  std::span<std::uint32_t> words(std::size_t block) {
    return {reinterpret_cast<std::uint32_t*>(whole_.data() + block * block_bytes_),
            short_bytes / sizeof(std::uint32_t)};
  }

  static constexpr std::size_t short_bytes = 3 * mib + 4096;

 private:
  void map(std::byte* at) const {
    const int file = memfd_create("block", 0);
    ASSERT_EQ(ftruncate(file, short_bytes), 0);
    for (std::size_t done = 0; done < block_bytes_; done += short_bytes) {
      const std::size_t bytes = std::min(short_bytes, block_bytes_ - done);
      ASSERT_NE(mmap(at + done, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0), MAP_FAILED);
    }
    close(file);
  }

  std::size_t block_bytes_;
  std::span<std::byte> whole_;
};

std::uint32_t word(std::size_t source, std::size_t destination, std::size_t i) {
  return static_cast<std::uint32_t>(1 + i + 1000 * 1000 * (1 + 2 * source + destination));
}

TEST(LargeBlocks, of_more_than_2_gib_arrive_in_pieces) {
  if (world_size() != 2) GTEST_SKIP() << "written for 2 processes";
  constexpr int count = 2048 + 5;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(mib, MPI_BYTE, &type);
  MPI_Type_commit(&type);
  const auto own = static_cast<std::size_t>(world_rank());
  LongBlocks send(2, count * mib);
  LongBlocks receive(2, count * mib);
  for (std::size_t j = 0; j < 2; ++j) {
    const auto words = send.words(j);
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = word(own, j, i);
  }
  const VirtualComm comm(MPI_COMM_WORLD, "ring:2", "identity");
  const auto exchange = AlltoallPlan::make(comm, {.method = {ExchangeAlgorithm::direct, {}}});
  exchange->run({send.memory(), count, type, receive.memory(), count, type});
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto words = receive.words(i);
    for (std::size_t k = 0; k < words.size(); ++k) wrong += words[k] == word(i, own, k) ? 0u : 1u;
  }
  EXPECT_EQ(wrong, 0u);
  MPI_Type_free(&type);
}

// A message of the CC-cube exchange has half of the blocks of its sender.
TEST(LargeBlocks, are_cut_so_that_the_longest_message_of_any_process_can_be_counted_and_staged) {
  const VirtualComm comm(MPI_COMM_WORLD, ring_of_world(), "identity");
  if (!world_is_a_cube() || world_size() == 1) GTEST_SKIP() << "needs messages of several blocks";
  const auto exchange = AlltoallPlan::make(comm, {.method = {ExchangeAlgorithm::cc_cube, {}}});
  const auto most = static_cast<std::size_t>(world_size()) / 2;
  const auto piece_bytes = [&](std::size_t block_bytes) {
    return RunSizes(*exchange, {nullptr, nullptr, block_bytes}).piece_bytes;
  };
  EXPECT_EQ(piece_bytes(1000), 1000u);
  EXPECT_EQ(piece_bytes(std::size_t{1} << 40), most == 1 ? 0x7fffffffu : 16 * mib / most);
}

}  // namespace
}  // namespace cubefold::mpi
