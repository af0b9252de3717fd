#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simulation/wormhole.hpp"

namespace cubefold {

/// Returns what arrival_cycles() returns with one port per node. Moves every flit from buffer to buffer.
std::vector<std::uint64_t> arrival_cycles_flit_by_flit(const Grid& grid, const Router& router,
                                                       std::span<const WormholeMessage> messages);

}  // namespace cubefold
