#include "savings.hpp"

#include <bit>
#include <utility>

namespace cubefold::preload {

double Savings::add(std::size_t block_bytes, const std::optional<MedianSeconds>& medians, double seconds) {
  Measured& measured = measured_.at(static_cast<std::size_t>(std::bit_width(block_bytes)));
  if (!medians) {
    ++measured.calls;
    measured.seconds += seconds + std::exchange(making_seconds_, 0);
    return 0;
  }
  const Measured before = std::exchange(measured, {});
  return static_cast<double>(before.calls) * medians->first - before.seconds + medians->first -
         medians->chosen;
}

}  // namespace cubefold::preload
