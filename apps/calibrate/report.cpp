#include "calibrate/report.hpp"

#include <fmt/format.h>

#include <string>

#include "cubefold/version.h"
#include "program/program.hpp"

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

void print_taus(const std::vector<std::optional<Estimate>>& taus) {
  for (std::size_t axis = 0; axis < taus.size(); ++axis) {
    if (!taus[axis]) continue;
    print_row(fmt::format("tau of axis {}", axis), "ns/B", *taus[axis], 1e9, rate_text(taus[axis]->value));
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
  print_taus(calibration.tau);
  print_row("barrier", "us", calibration.barrier, 1e6);
  if (calibration.two_ports) {
    print_row("two ports at once", "times", calibration.two_ports->factor, 1,
              calibration.two_ports->is_none() ? "all ports usable" : "one port usable");
  }
  print_wraps(calibration.wraps);
}
