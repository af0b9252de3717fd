#pragma once

#include <cstdint>

namespace cubefold {

/// Place of a label among the 2^bit_count labels sorted by popcount ascending, ties by value descending:
/// 0 4 2 1 6 5 3 7 for 3 bits. O(bit_count). Requires label < 2^bit_count, bit_count <= 31.
std::uint32_t by_weight_place(std::uint32_t label, int bit_count);

/// The label at a place of that list; inverse of by_weight_place().
std::uint32_t by_weight_label(std::uint32_t place, int bit_count);

}  // namespace cubefold
