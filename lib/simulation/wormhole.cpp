#include "cubefold/simulation/wormhole.hpp"

#include "wormhole_network.hpp"

namespace cubefold {

std::vector<std::uint64_t> arrival_cycles(const Grid& grid, const Router& router,
                                          std::span<const WormholeMessage> messages, int port_count) {
  WormholeNetwork network(grid, router, port_count);
  for (std::size_t number = 0; number < messages.size(); ++number) {
    network.send(number, messages[number]);
  }
  std::vector<std::uint64_t> cycles(messages.size());
  for (std::uint64_t cycle = 1; !network.is_idle(); ++cycle) {
    for (const auto number : network.run_cycle()) cycles[number] = cycle;
  }
  return cycles;
}

}  // namespace cubefold
