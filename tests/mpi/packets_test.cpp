#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "mpi/alltoall_plan.hpp"
#include "support/message_of.hpp"
#include "support/numbered_blocks.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {
namespace {

class Packets : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    comm.emplace(MPI_COMM_WORLD, grids_of_world().back(), "identity");
    rank = static_cast<int>(label(comm->rank()));
  }

  std::shared_ptr<AlltoallPlan> exchange(const ExchangeMethod& method) const {
    return AlltoallPlan::make(*comm, {.method = method, .piece_bytes = GetParam()});
  }

  std::optional<VirtualComm> comm;
  int rank = 0;
};

TEST_P(Packets, are_made_once_for_every_destination_and_taken_once_from_every_source) {
  constexpr std::size_t block_bytes = 10 * sizeof(int);
  for (const auto& method : compared_methods(comm->grid())) {
    std::map<std::pair<Rank, std::size_t>, std::size_t> made;
    const auto mine = sent_by(rank, world_size(), 10);
    std::vector<int> taken(mine.size());
    const PacketCalls calls{
        [&](Rank destination, std::size_t offset, std::span<std::byte> packet) {
          EXPECT_TRUE(made.emplace(std::pair(destination, offset), packet.size()).second) << "made twice";
          std::memcpy(
              packet.data(),
              reinterpret_cast<const std::byte*>(mine.data()) + label(destination) * block_bytes + offset,
              packet.size());
        },
        [&](Rank source, std::size_t offset, std::span<const std::byte> packet) {
          std::memcpy(reinterpret_cast<std::byte*>(taken.data()) + label(source) * block_bytes + offset,
                      packet.data(), packet.size());
        }};
    const auto own = exchange(method);
    own->run_packets(block_bytes, calls);
    EXPECT_EQ(taken, received_by(rank, world_size(), 10)) << to_string(method);
    std::size_t bytes = 0;
    for (const auto& [place, size] : made) {
      bytes += size;
      EXPECT_LE(size, GetParam() == 0 ? block_bytes : GetParam());
    }
    EXPECT_EQ(bytes, block_bytes * static_cast<std::size_t>(world_size()));
  }
}

TEST_P(Packets, are_none_for_blocks_of_no_bytes) {
  const auto own = exchange({ExchangeAlgorithm::direct, {}});
  int calls = 0;
  const PacketCalls counting{[&](Rank, std::size_t, std::span<std::byte>) { ++calls; },
                             [&](Rank, std::size_t, std::span<const std::byte>) { ++calls; }};
  own->run_packets(0, counting);
  EXPECT_EQ(calls, 0);
}

TEST_P(Packets, need_both_calls) {
  const auto own = exchange({ExchangeAlgorithm::direct, {}});
  EXPECT_EQ(message_of([&] { own->run_packets(8, {}); }), "a call-back is missing");
}

INSTANTIATE_TEST_SUITE_P(PieceBytes, Packets, testing::Values(0, 12, 16, 1000));

}  // namespace
}  // namespace cubefold::mpi
