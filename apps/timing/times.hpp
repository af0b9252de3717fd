#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace cubefold::timing {

/// Times of one case, one for each of its runs in the order in which they ran. What is computed from them needs one
/// run at least.
struct Times {
  std::vector<double> seconds;

  double minimum() const;
  double maximum() const;

  /// The middle one; of an even number the mean of the middle two.
  double median() const;
};

/// The entries median_seconds, min_seconds, max_seconds and seconds.
nlohmann::ordered_json as_json(const Times& times);

}  // namespace cubefold::timing
