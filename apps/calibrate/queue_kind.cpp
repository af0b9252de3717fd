#include "calibrate/queue_kind.hpp"

using cubefold::Queues;

Queues queue_kind(const std::optional<Overload>& overload, double alpha_seconds) {
  constexpr double least_lossy_factor = 1.3;
  constexpr double least_timeout_seconds = 1e-3;
  constexpr double least_tcp_seconds = 10e-6;
  if (!overload) return Queues::unknown;
  if (overload->factor() >= least_lossy_factor && overload->excess_seconds() >= least_timeout_seconds)
    return Queues::lossy;
  return alpha_seconds < least_tcp_seconds ? Queues::lossless : Queues::unknown;
}
