#include "calibrate/bench.hpp"

#include <algorithm>

Estimate estimate_of(const cubefold::timing::Times& times) {
  return {times.median(), times.minimum(), times.maximum()};
}

Estimate greatest_of(const std::vector<Estimate>& estimates) {
  Estimate result = estimates.front();
  for (const Estimate& estimate : estimates) {
    result.value = std::max(result.value, estimate.value);
    result.least = std::min(result.least, estimate.least);
    result.greatest = std::max(result.greatest, estimate.greatest);
  }
  return result;
}
