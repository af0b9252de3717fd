#include "timing/times.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace cubefold::timing {

double Times::minimum() const {
  return *std::min_element(seconds.begin(), seconds.end());
}

double Times::maximum() const {
  return *std::max_element(seconds.begin(), seconds.end());
}

double Times::median() const {
  std::vector<double> sorted = seconds;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

nlohmann::ordered_json as_json(const Times& times) {
  return {{"median_seconds", times.median()},
          {"min_seconds", times.minimum()},
          {"max_seconds", times.maximum()},
          {"seconds", times.seconds}};
}

}  // namespace cubefold::timing
