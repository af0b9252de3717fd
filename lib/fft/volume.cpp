#include "cubefold/fft/volume.hpp"

#include "cubefold/fft/exchange_blocks.hpp"

namespace cubefold::fft {

Volume volume_of(const Program& program) {
  Volume volume;
  for (const Stage& stage : program.stages) {
    const auto* exchange = std::get_if<ExchangeStage>(&stage);
    if (exchange == nullptr) continue;
    const std::size_t peers = exchange->before.axis_members()[static_cast<std::size_t>(exchange->axis)] - 1;
    ++volume.exchange_count;
    volume.message_count += peers;
    volume.sent_count += sent_count(*exchange);
    volume.padded_count += peers * block_count(*exchange);
  }
  return volume;
}

}  // namespace cubefold::fft
