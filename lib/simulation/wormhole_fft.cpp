#include "wormhole_fft.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "wormhole.hpp"

namespace cubefold {

namespace {

void require_possible(const Grid& grid, int s, std::span<const GridNode> bit_reversal) {
  const auto& axes = grid.axes();
  if (!std::all_of(axes.begin(), axes.end(), [](const Axis& axis) { return axis.extent == 2; })) {
    throw std::invalid_argument(fmt::format("parallel_fft_times: {} is no hypercube", to_string(grid)));
  }
  if (s < 0 || s > 8)
    throw std::invalid_argument(fmt::format("parallel_fft_times: s = {} is not in [0, 8]", s));
  if (bit_reversal.size() != grid.node_count()) {
    throw std::invalid_argument(fmt::format("parallel_fft_times: {} destinations for {} nodes",
                                            bit_reversal.size(), grid.node_count()));
  }
}

double seconds_until_all_arrive(const Grid& grid, const Router& router,
                                std::span<const GridNode> destinations, std::uint32_t message_bytes,
                                const MachineCosts& costs) {
  std::vector<WormholeMessage> messages;
  messages.reserve(destinations.size());
  for (std::size_t node = 0; node < destinations.size(); ++node) {
    messages.push_back({static_cast<GridNode>(node), destinations[node], message_bytes + 1});
  }
  const auto cycles = arrival_cycles(grid, router, messages);
  const auto last = *std::max_element(cycles.begin(), cycles.end());
  return last == 0 ? 0 : costs.message_seconds + static_cast<double>(last) * costs.byte_seconds;
}

}  // namespace

FftTimes parallel_fft_times(const Grid& hypercube, const Router& router, int s,
                            std::span<const GridNode> bit_reversal, const MachineCosts& costs) {
  require_possible(hypercube, s, bit_reversal);
  const double stages = hypercube.axis_count();
  const auto points = std::uint32_t{1} << (2 * s);
  const std::uint32_t message_bytes = points * costs.point_bytes;

  // Neighbours do not contend: a message takes the cycles of a message alone on one hop.
  const double neighbour_cycles = message_bytes + 1 + 1 + 1;
  return {2 * s * (points / 2.0) * costs.butterfly_seconds + stages * points * costs.half_butterfly_seconds,
          stages * (costs.message_seconds + neighbour_cycles * costs.byte_seconds),
          seconds_until_all_arrive(hypercube, router, bit_reversal, message_bytes, costs)};
}

}  // namespace cubefold
