#include "calibrate/queue_kind.hpp"

using cubefold::Queues;

Queues queue_kind(std::optional<double> overload_factor, double alpha_seconds) {
  constexpr double least_lossy_factor = 1.3;
  constexpr double least_tcp_seconds = 10e-6;
  if (!overload_factor) return Queues::unknown;
  if (*overload_factor >= least_lossy_factor) return Queues::lossy;
  return alpha_seconds < least_tcp_seconds ? Queues::lossless : Queues::unknown;
}
