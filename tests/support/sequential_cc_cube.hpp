#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/schedule/stage_packet.hpp"

namespace cubefold {

using Digest = std::uint64_t;

/// Describes a rank that combines all consumed packets, in order, in one number, from which it produces its own
/// packets. A wrong byte, packet or order changes all later packets.
struct DigestingRank {
  Rank rank;
  Digest digest = 1;

  std::vector<std::byte> produced(const StagePacket& packet, std::size_t bytes) const {
    std::vector<std::byte> data(bytes);
    Digest state = mixed(digest + label(rank), packet);
    for (std::byte& byte : data) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      byte = static_cast<std::byte>(state >> 56U);
    }
    return data;
  }

  void consume(const StagePacket& packet, std::span<const std::byte> arrived) {
    digest = mixed(digest, packet) + arrived.size();
    for (const std::byte byte : arrived) digest = digest * 1099511628211U + static_cast<unsigned>(byte);
  }

 private:
  static Digest mixed(Digest digest, const StagePacket& packet) {
    const Digest place = (packet.stage * 1000 + packet.index) * 100 + static_cast<Digest>(packet.dimension);
    return (digest ^ place) * 0x9e3779b97f4a7c15U + (digest >> 29U);
  }
};

/// Is a function that returns the bytes of the packet that a rank sends.
using PacketSize = std::function<std::size_t(const DigestingRank&, const StagePacket&)>;

/// Returns the digests of all ranks after a CC-cube algorithm, which one process computes iteration after iteration.
inline std::vector<Digest> sequential_digests(std::size_t rank_count, const std::vector<int>& dimensions,
                                              std::size_t packet_count, const PacketSize& size) {
  std::vector<DigestingRank> ranks;
  for (std::uint32_t r = 0; r < rank_count; ++r) ranks.push_back({Rank{r}});
  for (std::size_t k = 0; k < iteration_count(dimensions.size(), packet_count); ++k) {
    const std::vector<DigestingRank> before = ranks;
    for (DigestingRank& rank : ranks) {
      for (const StagePacket& packet : packets_of_iteration(dimensions, packet_count, k)) {
        const DigestingRank& sender = before[label(neighbour(rank.rank, packet.dimension))];
        rank.consume(packet, sender.produced(packet, size(sender, packet)));
      }
    }
  }
  std::vector<Digest> digests;
  for (const DigestingRank& rank : ranks) digests.push_back(rank.digest);
  return digests;
}

}  // namespace cubefold
