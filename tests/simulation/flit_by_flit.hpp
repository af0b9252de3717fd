#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simulation/wormhole.hpp"

namespace cubefold {

/// What arrival_cycles() computes, by moving every flit from buffer to buffer; one port per node.
std::vector<std::uint64_t> arrival_cycles_flit_by_flit(const Grid& grid, const Router& router,
                                                       std::span<const WormholeMessage> messages);

}  // namespace cubefold
