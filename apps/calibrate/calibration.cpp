#include "calibrate/calibration.hpp"

#include <fmt/format.h>

#include <string>

#include "calibrate/copies.hpp"
#include "calibrate/link_times.hpp"
#include "calibrate/stream.hpp"
#include "cubefold/version.h"
#include "program/program.hpp"

namespace {

/// Returns the seconds per byte of each axis. The value is 0 for an axis without links.
std::vector<double> values_of(const std::vector<std::optional<Estimate>>& taus) {
  std::vector<double> values;
  values.reserve(taus.size());
  for (const auto& tau : taus) values.push_back(tau ? tau->value : 0);
  return values;
}

std::vector<std::optional<Estimate>> measured_taus(const Bench& bench) {
  // The links of a route table have one tau.
  std::vector<std::optional<Estimate>> taus(bench.grid.route_table() == nullptr ? bench.grid.axes().size()
                                                                                : 1);
  for (const int axis : axes_with_links(bench.grid)) {
    taus[static_cast<std::size_t>(axis)] = measured_tau(bench, axis);
  }
  return taus;
}

std::vector<std::optional<Slowdown>> measured_wraps(const Bench& bench, const std::vector<double>& taus,
                                                    cubefold::Ports ports) {
  std::vector<std::optional<Slowdown>> wraps(bench.grid.axes().size());
  if (bench.grid.route_table() != nullptr) return wraps;
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
  result.copy = measured_copy(bench);
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
  machine.copy_seconds_per_byte = calibration.copy.value;
  machine.ports = ports_of(calibration);
  for (const auto& wrap : calibration.wraps) machine.wraps.push_back(wrap && wrap->is_none());
  return machine;
}

using cubefold::program::counted;

namespace {

void print_row(const std::string& what, const char* unit, const Estimate& estimate, double factor,
               const std::string& remark = "") {
  const std::string row =
      fmt::format("{:<22}{:>12.3f}{:>12.3f}{:>12.3f}  {:<5}  {}", what, estimate.value * factor,
                  estimate.least * factor, estimate.greatest * factor, unit, remark);
  fmt::print("{}\n", row.substr(0, row.find_last_not_of(' ') + 1));
}

std::string rate_text(double tau) {
  return tau > 0 ? fmt::format("{:.4g} MB/s", 1e-6 / tau) : "";
}

void print_taus(const cubefold::Grid& grid, const std::vector<std::optional<Estimate>>& taus) {
  for (std::size_t axis = 0; axis < taus.size(); ++axis) {
    if (!taus[axis]) continue;
    const bool has_axes = grid.route_table() == nullptr;
    print_row(has_axes ? fmt::format("tau of axis {}", axis) : "tau of the links", "ns/B", *taus[axis], 1e9,
              rate_text(taus[axis]->value));
  }
}

void print_wraps(const std::vector<std::optional<Slowdown>>& wraps) {
  for (std::size_t axis = 0; axis < wraps.size(); ++axis) {
    if (!wraps[axis]) continue;
    print_row(fmt::format("wrap links of axis {}", axis), "times", wraps[axis]->factor, 1,
              wraps[axis]->is_none() ? "links of their own" : "no links of their own");
  }
}

}  // namespace

void print_table(const cubefold::Machine& machine, const Calibration& calibration) {
  fmt::print("cubefold-calibrate {}: {} on {}, {}, {}\n", CUBEFOLD_VERSION,
             counted(machine.grid.node_count(), "process"), to_string(machine.grid),
             counted(machine.host_count, "host"), machine.mpi_library);
  fmt::print("times: how much longer messages take that might meet others\n\n");
  fmt::print("{:<22}{:>12}{:>12}{:>12}\n", "", "median", "least", "greatest");
  print_row("alpha", "us", calibration.alpha, 1e6);
  print_row("gap", "us", calibration.gap, 1e6);
  print_taus(machine.grid, calibration.tau);
  print_row("barrier", "us", calibration.barrier, 1e6);
  print_row("copies", "ns/B", calibration.copy, 1e9, rate_text(machine.copy_seconds_per_byte));
  if (calibration.two_ports) {
    print_row("two ports at once", "times", calibration.two_ports->factor, 1,
              calibration.two_ports->is_none() ? "all ports usable" : "one port usable");
  }
  print_wraps(calibration.wraps);
  if (calibration.overload) {
    const bool is_lossy = machine.queues == cubefold::Queues::lossy;
    const double factor = calibration.overload->factor();
    print_row("messages to one node", "times", {factor, factor, factor}, 1,
              is_lossy ? "full queues lose packets" : "no loss was seen");
  }
}
