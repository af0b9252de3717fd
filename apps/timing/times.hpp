#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace cubefold::timing {

/// The times of one case, one for each of its runs in the order in which they ran. All functions require at least one
/// run.
struct Times {
  std::vector<double> seconds;

  double minimum() const;
  double maximum() const;

  /// Returns the median. For an even number of runs it is the mean of the middle two.
  double median() const;
};

/// Returns an object with the entries median_seconds, min_seconds, max_seconds and seconds.
nlohmann::ordered_json as_json(const Times& times);

}  // namespace cubefold::timing
