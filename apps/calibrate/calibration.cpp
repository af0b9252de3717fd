#include "calibrate/calibration.hpp"

#include "calibrate/latency.hpp"
#include "calibrate/pairs.hpp"
#include "calibrate/rate.hpp"

namespace {

/// Returns the seconds per byte of each axis. The value is 0 for an axis without links.
std::vector<double> values_of(const std::vector<std::optional<Estimate>>& taus) {
  std::vector<double> values;
  values.reserve(taus.size());
  for (const auto& tau : taus) values.push_back(tau ? tau->value : 0);
  return values;
}

std::vector<std::optional<Estimate>> measured_taus(const Bench& bench) {
  std::vector<std::optional<Estimate>> taus(bench.grid.axes().size());
  for (const int axis : axes_with_links(bench.grid)) {
    taus[static_cast<std::size_t>(axis)] = measured_tau(bench, axis);
  }
  return taus;
}

std::vector<std::optional<Slowdown>> measured_wraps(const Bench& bench, const std::vector<double>& taus,
                                                    cubefold::Ports ports) {
  std::vector<std::optional<Slowdown>> wraps(taus.size());
  for (int axis = 0; axis < bench.grid.axis_count(); ++axis) {
    const auto index = static_cast<std::size_t>(axis);
    if (bench.grid.has_wrap_link(axis))
      wraps[index] = slowdown_of_wrap_links(bench, axis, taus[index], ports);
  }
  return wraps;
}

}  // namespace

Calibration calibrate(const Bench& bench) {
  Calibration result{};
  result.barrier = measured_barrier(bench);
  result.alpha = measured_alpha(bench);
  result.tau = measured_taus(bench);
  const std::vector<double> taus = values_of(result.tau);
  const int axis = axes_with_links(bench.grid).front();
  result.gap = measured_gap(bench, axis, taus[static_cast<std::size_t>(axis)]);
  result.two_ports = slowdown_of_two_ports(bench, taus);
  result.wraps = measured_wraps(bench, taus, ports_of(result));
  return result;
}

cubefold::Ports ports_of(const Calibration& calibration) {
  const bool all = calibration.two_ports && calibration.two_ports->is_none();
  return all ? cubefold::Ports::all : cubefold::Ports::one;
}

cubefold::Machine machine_of(const cubefold::Grid& grid, const Calibration& calibration) {
  cubefold::Machine machine{grid};
  machine.alpha_seconds = calibration.alpha.value;
  machine.gap_seconds = calibration.gap.value;
  machine.tau_seconds_per_byte = values_of(calibration.tau);
  machine.barrier_seconds = calibration.barrier.value;
  machine.ports = ports_of(calibration);
  for (const auto& wrap : calibration.wraps) machine.wraps.push_back(wrap && wrap->is_none());
  return machine;
}
