#include "step_model.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace cubefold {

namespace {

void require_time(const char* function, const char* name, double seconds) {
  if (std::isfinite(seconds) && seconds >= 0) return;
  throw std::invalid_argument(fmt::format("{}: {} {} is not a time", function, name, seconds));
}

}  // namespace

void require_fit(const char* function, const StepModel& model, const Grid& grid) {
  require_time(function, "alpha", model.alpha_seconds);
  require_time(function, "barrier", model.barrier_seconds);
  for (const double tau : model.tau_seconds_per_byte) require_time(function, "tau", tau);
  const std::size_t tau_count = model.tau_seconds_per_byte.size();
  if (tau_count == 1 || (tau_count == grid.axes().size() && tau_count > 0)) return;
  throw std::invalid_argument(
      fmt::format("{}: {} taus on {}; it takes one, or one per axis", function, tau_count, to_string(grid)));
}

}  // namespace cubefold
