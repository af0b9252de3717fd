#include "same_bits.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace cubefold {

int same_bit_count(std::string_view caller, std::span<const Lcc> phases) {
  if (phases.empty()) throw std::invalid_argument(fmt::format("{}: no phases", caller));
  const int count = phases.front().bit_count();
  for (std::size_t r = 1; r < phases.size(); ++r) {
    if (phases[r].bit_count() == count) continue;
    throw std::invalid_argument(fmt::format("{}: phase {} has {} bits where phase 0 has {}", caller, r,
                                            phases[r].bit_count(), count));
  }
  return count;
}

}  // namespace cubefold
