#include "cubefold/schedule/stage_packet.hpp"

#include <algorithm>
#include <stdexcept>

namespace cubefold {

namespace {

void require_packets(std::size_t packet_count) {
  if (packet_count == 0) throw std::invalid_argument("packet count 0: a stage is cut in at least 1 packet");
}

}  // namespace

std::size_t iteration_count(std::size_t stage_count, std::size_t packet_count) {
  require_packets(packet_count);
  return stage_count == 0 ? 0 : stage_count + packet_count - 1;
}

std::vector<StagePacket> packets_of_iteration(std::span<const int> dimensions, std::size_t packet_count,
                                              std::size_t iteration) {
  std::vector<StagePacket> packets;
  set_packets_of_iteration(packets, dimensions, packet_count, iteration);
  return packets;
}

void set_packets_of_iteration(std::vector<StagePacket>& packets, std::span<const int> dimensions,
                              std::size_t packet_count, std::size_t iteration) {
  require_packets(packet_count);
  packets.clear();
  const std::size_t end = std::min(dimensions.size(), iteration + 1);
  for (std::size_t stage = iteration - std::min(iteration, packet_count - 1); stage < end; ++stage)
    packets.push_back({stage, dimensions[stage], iteration - stage, packet_count});
}

ItemRange share_of(const StagePacket& packet, std::size_t item_count) {
  const std::size_t least = item_count / packet.count;
  const std::size_t longer = item_count % packet.count;
  const auto begin_of = [&](std::size_t index) { return index * least + std::min(index, longer); };
  return {begin_of(packet.index), begin_of(packet.index + 1)};
}

}  // namespace cubefold
