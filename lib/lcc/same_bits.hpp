#pragma once

#include <span>
#include <string_view>

#include "cubefold/lcc/lcc.hpp"

namespace cubefold {

/// The number of bits that all phases have. Throws std::invalid_argument in the caller's name if they differ, and without
/// phases.
int same_bit_count(std::string_view caller, std::span<const Lcc> phases);

}  // namespace cubefold
