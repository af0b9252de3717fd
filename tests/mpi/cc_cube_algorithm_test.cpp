#include "cubefold/mpi/cc_cube_algorithm.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <optional>

#include "support/cube_orders.hpp"
#include "support/sequential_cc_cube.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {
namespace {

class CcCubeAlgorithmTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!world_is_a_cube()) GTEST_SKIP() << "a hypercube needs a power of two";
    comm.emplace(MPI_COMM_WORLD, ring_of_world(), "xor");
    d = std::countr_zero(static_cast<unsigned>(world_size()));
  }

  std::vector<std::vector<int>> orders() const {
    std::vector<int> one_after_the_other(3, d - 1);
    if (d == 0) one_after_the_other.clear();
    return {fft_order(d), bitonic_order(d), jacobi_order(d), one_after_the_other};
  }

  std::optional<VirtualComm> comm;
  int d = 0;
};

/// Returns the digest of this rank after a run over MPI. Packets have varying sizes if `size` is given, and the sizes
/// of the algorithm otherwise.
Digest digest_of(CcCubeAlgorithm& algorithm, const PacketSize& size = {}) {
  DigestingRank self{algorithm.rank()};
  const auto own_size = [&](const StagePacket& packet) { return size(self, packet); };
  algorithm.run({
      .produce =
          [&](const StagePacket& packet, std::span<std::byte> room) {
            const auto bytes = self.produced(packet, room.size());
            std::copy(bytes.begin(), bytes.end(), room.begin());
          },
      .consume = [&](const StagePacket& packet,
                     std::span<const std::byte> arrived) { self.consume(packet, arrived); },
      .bytes = size ? own_size : decltype(StageCallBacks::bytes)(),
  });
  return self.digest;
}

/// Returns the bytes of a packet, which its sender and its receiver can both compute.
std::size_t fixed_size(const StagePacket& packet) {
  return 7 * packet.stage + packet.index;
}

/// Returns the bytes of a packet, possibly 0. They depend on all that the sender has consumed, so the receiver cannot
/// compute them.
std::size_t varying_size(const DigestingRank& self, const StagePacket& packet) {
  const std::size_t kind = (self.digest + packet.index) % 16;
  if (kind < 4) return 0;
  return kind == 15 ? 70000 : 5 * kind;
}

std::vector<Digest> sequential_digests_of_fixed(std::size_t rank_count, const std::vector<int>& order,
                                                std::size_t packets) {
  return sequential_digests(rank_count, order, packets, [](const DigestingRank&, const StagePacket& packet) {
    return fixed_size(packet);
  });
}

TEST_F(CcCubeAlgorithmTest, brings_every_rank_to_what_a_sequential_simulation_gives_with_fixed_payload) {
  for (const auto& order : orders()) {
    for (const std::size_t packets : {1U, 2U, 3U, 4U, 9U}) {
      CcCubeAlgorithm algorithm(*comm, order, {.packet_count = packets, .packet_bytes = fixed_size});
      const auto expected = sequential_digests_of_fixed(comm->placement().rank_count(), order, packets);
      for (int repetition = 0; repetition < 2; ++repetition)
        EXPECT_EQ(digest_of(algorithm), expected[label(comm->rank())]) << packets;
    }
  }
}

TEST_F(CcCubeAlgorithmTest, brings_every_rank_to_what_a_sequential_simulation_gives_with_varying_payload) {
  for (const auto& order : orders()) {
    for (const std::size_t packets : {1U, 2U, 3U, 4U, 9U}) {
      CcCubeAlgorithm algorithm(*comm, order, {.packet_count = packets});
      const auto expected = sequential_digests(comm->placement().rank_count(), order, packets, varying_size);
      EXPECT_EQ(digest_of(algorithm, varying_size), expected[label(comm->rank())]) << packets;
    }
  }
}

TEST_F(CcCubeAlgorithmTest, gives_the_same_whatever_step_each_rank_sends_in) {
  const auto step_of = [](std::size_t iteration, Rank rank, int dimension) {
    return (label(rank) >> static_cast<unsigned>(dimension) & 1U) + 3 * ((iteration + label(rank)) % 3);
  };
  const std::size_t rank_count = comm->placement().rank_count();
  for (const auto& order : orders()) {
    CcCubeAlgorithm fixed(*comm, order, {.packet_count = 4, .packet_bytes = fixed_size, .step_of = step_of});
    EXPECT_EQ(digest_of(fixed), sequential_digests_of_fixed(rank_count, order, 4)[label(comm->rank())]);
    CcCubeAlgorithm varying(*comm, order, {.packet_count = 4, .step_of = step_of});
    EXPECT_EQ(digest_of(varying, varying_size),
              sequential_digests(rank_count, order, 4, varying_size)[label(comm->rank())]);
  }
}

TEST_F(CcCubeAlgorithmTest, produces_in_the_order_of_the_steps) {
  const auto downwards = [](std::size_t, Rank, int dimension) {
    return static_cast<std::size_t>(1000 - dimension);
  };
  const auto order = fft_order(d);
  CcCubeAlgorithm algorithm(
      *comm, order, {.packet_count = order.size() + 1, .packet_bytes = fixed_size, .step_of = downwards});
  std::vector<StagePacket> produced;
  std::vector<StagePacket> consumed;
  algorithm.run({
      .produce = [&](const StagePacket& packet, std::span<std::byte>) { produced.push_back(packet); },
      .consume = [&](const StagePacket& packet, std::span<const std::byte>) { consumed.push_back(packet); },
  });
  std::vector<StagePacket> descending;
  std::vector<StagePacket> ascending;
  for (std::size_t k = 0; k < iteration_count(order.size(), order.size() + 1); ++k) {
    const auto packets = packets_of_iteration(order, order.size() + 1, k);
    ascending.insert(ascending.end(), packets.begin(), packets.end());
    descending.insert(descending.end(), packets.rbegin(), packets.rend());
  }
  EXPECT_EQ(produced, descending);
  EXPECT_EQ(consumed, ascending);
}

/// Hands out numbers that ascend in the order in which the processes ask for them.
class LogicalClock {
 public:
  LogicalClock() {
    MPI_Win_allocate(world_rank() == 0 ? sizeof(int) : 0, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &next_,
                     &window_);
    if (world_rank() == 0) *next_ = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, window_);
  }
  LogicalClock(const LogicalClock&) = delete;
  LogicalClock& operator=(const LogicalClock&) = delete;
  ~LogicalClock() {
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
  }
  int tick() {
    const int one = 1;
    int now = 0;
    MPI_Fetch_and_op(&one, &now, MPI_INT, 0, 0, MPI_SUM, window_);
    MPI_Win_flush(0, window_);
    return now;
  }

 private:
  int* next_ = nullptr;
  MPI_Win window_ = MPI_WIN_NULL;
};

TEST_F(CcCubeAlgorithmTest, leaves_a_step_when_the_neighbours_messages_of_that_step_have_come) {
  if (d < 2) GTEST_SKIP() << "one dimension has one step";
  LogicalClock clock;
  std::vector<int> ticks(static_cast<std::size_t>(d));
  const auto one_after_the_other = [](std::size_t, Rank, int dimension) {
    return static_cast<std::size_t>(dimension);
  };
  CcCubeAlgorithm algorithm(*comm, fft_order(d),
                            {.packet_count = static_cast<std::size_t>(d),
                             .packet_bytes = fixed_size,
                             .step_of = one_after_the_other});
  algorithm.run({
      .produce =
          [&](const StagePacket& packet, std::span<std::byte>) {
            // All dimensions are exchanged in this iteration.
            if (iteration_of(packet) == packet.count - 1) ticks[packet.stage] = clock.tick();
          },
      .consume = [](const StagePacket&, std::span<const std::byte>) {},
  });
  std::vector<int> theirs(ticks.size());
  for (int i = 0; i < d; ++i) {
    const int peer = static_cast<int>(label(neighbour(comm->rank(), i)));
    MPI_Sendrecv(ticks.data(), d, MPI_INT, peer, 0, theirs.data(), d, MPI_INT, peer, 0, comm->virtual_comm(),
                 MPI_STATUS_IGNORE);
    for (auto later = static_cast<std::size_t>(i) + 1; later < ticks.size(); ++later)
      EXPECT_LT(theirs[static_cast<std::size_t>(i)], ticks[later]);
  }
}

TEST_F(CcCubeAlgorithmTest, leaves_the_callers_messages_alone_while_call_backs_communicate) {
  std::vector<int> sums;
  CcCubeAlgorithm algorithm(*comm, fft_order(d),
                            {.packet_bytes = [](const StagePacket&) { return sizeof(int); }});
  int from_neighbour = -1;
  algorithm.run({
      .produce =
          [&](const StagePacket& packet, std::span<std::byte> room) {
            const int me = static_cast<int>(label(comm->rank()));
            const int peer = static_cast<int>(label(neighbour(comm->rank(), packet.dimension)));
            MPI_Sendrecv(&me, 1, MPI_INT, peer, 0, &from_neighbour, 1, MPI_INT, peer, 0, comm->virtual_comm(),
                         MPI_STATUS_IGNORE);
            std::memcpy(room.data(), &me, sizeof me);
          },
      .consume =
          [&](const StagePacket&, std::span<const std::byte> arrived) {
            int number = 0;
            std::memcpy(&number, arrived.data(), sizeof number);
            EXPECT_EQ(number, from_neighbour);
            sums.push_back(number);
          },
  });
  ASSERT_EQ(sums.size(), static_cast<std::size_t>(d));
  for (int i = 0; i < d; ++i)
    EXPECT_EQ(sums[static_cast<std::size_t>(i)], static_cast<int>(label(neighbour(comm->rank(), i))));
}

TEST_F(CcCubeAlgorithmTest, aligns_the_rooms_for_any_number_type) {
  const auto is_aligned = [](const std::byte* memory) {
    return reinterpret_cast<std::uintptr_t>(memory) % alignof(std::max_align_t) == 0;
  };
  CcCubeAlgorithm algorithm(*comm, jacobi_order(d), {.packet_count = 3, .packet_bytes = fixed_size});
  algorithm.run({
      .produce = [&](const StagePacket&, std::span<std::byte> room) { EXPECT_TRUE(is_aligned(room.data())); },
      .consume = [&](const StagePacket&,
                     std::span<const std::byte> arrived) { EXPECT_TRUE(is_aligned(arrived.data())); },
  });
}

}  // namespace
}  // namespace cubefold::mpi
