#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>
#include <optional>

#include "cubefold/mpi/cc_cube_algorithm.hpp"
#include "support/cube_orders.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {
namespace {

/// Tests algorithms that are written as a user of CcCubeAlgorithm would write them.
class CcCubeInstance : public testing::Test {
 protected:
  void SetUp() override {
    if (!world_is_a_cube()) GTEST_SKIP() << "a hypercube needs a power of two";
    comm.emplace(MPI_COMM_WORLD, ring_of_world(), "xor");
    size = static_cast<std::size_t>(world_size());
    d = std::countr_zero(size);
    rank = label(comm->rank());
  }

  std::optional<VirtualComm> comm;
  std::size_t size = 0;
  int d = 0;
  std::uint32_t rank = 0;
};

// This is the example of docs/cc-cube.md.
TEST_F(CcCubeInstance, recursive_doubling_adds_up_the_ranks) {
  CcCubeAlgorithm sums(*comm, fft_order(d),
                       {.packet_bytes = [](const StagePacket&) { return sizeof(double); }});
  double sum = rank;
  sums.run({
      .produce = [&](const StagePacket&,
                     std::span<std::byte> room) { std::memcpy(room.data(), &sum, sizeof sum); },
      .consume =
          [&](const StagePacket&, std::span<const std::byte> arrived) {
            double other = 0;
            std::memcpy(&other, arrived.data(), sizeof other);
            sum += other;
          },
  });
  EXPECT_EQ(sum, static_cast<double>(size * (size - 1) / 2));
}

/// The blocks of one rank, with four numbers each.
using BlockRows = std::vector<std::array<std::uint64_t, 4>>;

/// Returns the block that one rank sends to another.
BlockRows::value_type block(std::size_t source, std::size_t destination) {
  return {source, destination, source * 1000 + destination, ~destination};
}

/// Returns the positions that a packet exchanges. Stage i exchanges all positions x = source xor destination in which
/// bit i is set, in descending order, and each packet has its share of them.
std::vector<std::size_t> positions_of(const StagePacket& packet, std::size_t size) {
  std::vector<std::size_t> positions;
  for (std::size_t x = size; x-- > 0;) {
    if ((x >> static_cast<unsigned>(packet.dimension) & 1U) != 0) positions.push_back(x);
  }
  const ItemRange share = share_of(packet, positions.size());
  return {positions.begin() + static_cast<std::ptrdiff_t>(share.begin),
          positions.begin() + static_cast<std::ptrdiff_t>(share.end)};
}

/// Returns the call-backs of a complete exchange. Block j starts at position rank xor j. After d stages position x
/// holds the block from rank xor x. Source: [Calmant] section 5.1.
StageCallBacks exchange_of(BlockRows& at_position) {
  return {
      .produce =
          [&](const StagePacket& packet, std::span<std::byte> room) {
            for (const std::size_t x : positions_of(packet, at_position.size())) {
              std::memcpy(room.data(), &at_position[x], sizeof at_position[x]);
              room = room.subspan(sizeof at_position[x]);
            }
          },
      .consume =
          [&](const StagePacket& packet, std::span<const std::byte> arrived) {
            for (const std::size_t x : positions_of(packet, at_position.size())) {
              std::memcpy(&at_position[x], arrived.data(), sizeof at_position[x]);
              arrived = arrived.subspan(sizeof at_position[x]);
            }
          },
  };
}

TEST_F(CcCubeInstance, complete_exchange_delivers_every_block_in_place_with_any_number_of_packets) {
  const auto bytes = [&](const StagePacket& packet) {
    return positions_of(packet, size).size() * sizeof(BlockRows::value_type);
  };
  for (std::size_t packets = 1; packets <= size / 2 + 3; ++packets) {
    CcCubeAlgorithm algorithm(*comm, fft_order(d), {.packet_count = packets, .packet_bytes = bytes});
    BlockRows at_position(size);
    for (std::size_t j = 0; j < size; ++j) at_position[rank ^ j] = block(rank, j);
    algorithm.run(exchange_of(at_position));
    for (std::size_t j = 0; j < size; ++j) EXPECT_EQ(at_position[rank ^ j], block(j, rank)) << packets;
  }
}

/// Computes numbers with all the dependencies that pipelining allows: x_i[j] depends on x_{i-1}[0..j], x_{i-2}[0..j+1],
/// ..., as received from the neighbours in those stages. Rounding makes the order of the additions visible.
class PrefixSums {
 public:
  PrefixSums(std::uint32_t rank, std::size_t items) : rank_(rank), items_(items) {}

  double item(std::size_t stage, std::size_t j) const {
    double sum = 1.0 / static_cast<double>(3 + rank_ + 100 * stage + 10000 * j);
    for (std::size_t earlier = 0; earlier < stage; ++earlier) {
      const std::size_t end = std::min(items_, j + stage - earlier);
      const auto& arrived = arrived_[earlier];
      sum = 0.7 * std::accumulate(arrived.begin(), arrived.begin() + static_cast<std::ptrdiff_t>(end), sum);
    }
    return sum;
  }
  void take(std::size_t stage, double value) {
    arrived_.resize(std::max(arrived_.size(), stage + 1));
    arrived_[stage].push_back(value);
  }
  std::size_t items() const { return items_; }
  const std::vector<std::vector<double>>& arrived() const { return arrived_; }

 private:
  std::uint32_t rank_;
  std::size_t items_;
  std::vector<std::vector<double>> arrived_;
};

StageCallBacks prefix_sums_of(PrefixSums& self) {
  return {
      .produce =
          [&](const StagePacket& packet, std::span<std::byte> room) {
            const ItemRange share = share_of(packet, self.items());
            for (std::size_t j = share.begin; j < share.end; ++j) {
              const double item = self.item(packet.stage, j);
              std::memcpy(room.data() + (j - share.begin) * sizeof item, &item, sizeof item);
            }
          },
      .consume =
          [&](const StagePacket& packet, std::span<const std::byte> arrived) {
            for (; !arrived.empty(); arrived = arrived.subspan(sizeof(double))) {
              double item = 0;
              std::memcpy(&item, arrived.data(), sizeof item);
              self.take(packet.stage, item);
            }
          },
  };
}

/// Returns the numbers that the rank receives, computed stage by stage for all ranks in this process.
std::vector<std::vector<double>> sequential_prefix_sums(const std::vector<int>& order, std::size_t size,
                                                        std::uint32_t rank, std::size_t items) {
  std::vector<PrefixSums> ranks;
  for (std::uint32_t r = 0; r < size; ++r) ranks.emplace_back(r, items);
  for (std::size_t stage = 0; stage < order.size(); ++stage) {
    const auto before = ranks;
    for (std::uint32_t r = 0; r < size; ++r) {
      const PrefixSums& sender = before[label(neighbour(Rank{r}, order[stage]))];
      for (std::size_t j = 0; j < items; ++j) ranks[r].take(stage, sender.item(stage, j));
    }
  }
  return ranks[rank].arrived();
}

TEST_F(CcCubeInstance, with_the_dependence_of_the_paper_gives_the_same_bits_pipelined_and_not) {
  constexpr std::size_t items = 11;
  const auto bytes = [](const StagePacket& packet) {
    return share_of(packet, items).size() * sizeof(double);
  };
  for (const auto& order : {fft_order(d), bitonic_order(d), jacobi_order(d)}) {
    const auto expected = sequential_prefix_sums(order, size, rank, items);
    for (const std::size_t packets : {1U, 2U, 3U, 5U, 11U, 14U}) {
      CcCubeAlgorithm algorithm(*comm, order, {.packet_count = packets, .packet_bytes = bytes});
      PrefixSums self(rank, items);
      algorithm.run(prefix_sums_of(self));
      EXPECT_EQ(self.arrived(), expected) << packets;
    }
  }
}

}  // namespace
}  // namespace cubefold::mpi
