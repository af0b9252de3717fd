#pragma once

#include "cubefold/embedding/placement.hpp"
#include "cubefold/exchange/method.hpp"
#include "cubefold/export.h"

namespace cubefold {

/// Returns how many blocks the ranks of an exchange copy for each block delivered to them, on average: those that they
/// pack or unpack, as copied_blocks() counts them. The own block, which no message brings, is left out of both numbers.
/// 0 for one rank. On more than 128 ranks every 73rd one stands for all. Throws std::invalid_argument if the method
/// does not fit. Costs the parts of these ranks.
CUBEFOLD_API double copies_per_block(const ExchangeMethod& method, const Placement& placement,
                                     const NetworkRules& network);

}  // namespace cubefold
