#pragma once

#include <optional>
#include <vector>

#include "calibrate/bench.hpp"
#include "calibrate/link_times.hpp"
#include "calibrate/queue_kind.hpp"
#include "cubefold/simulation/machine.hpp"

/// Holds all measured values with their spread. Values per axis are empty if the axis has no such links.
struct Calibration {
  Estimate alpha;
  Estimate gap;
  std::vector<std::optional<Estimate>> tau;
  Estimate barrier;
  Estimate copy;  ///< seconds per byte
  std::optional<Slowdown> two_ports;
  std::vector<std::optional<Slowdown>> wraps;
  std::optional<Overload> overload{};
};

/// Measures all values of a Calibration but the overload. All processes must call this. Requires at least two nodes.
Calibration calibrate(const Bench& bench);

/// Returns the ports that a node can use at a time. Returns one-port if no node has two links, because both models are
/// then the same.
cubefold::Ports ports_of(const Calibration& calibration);

/// Returns the measured values of the machine file. The place, date and software of the measurement are left to the
/// caller.
cubefold::Machine machine_of(const cubefold::Grid& grid, const Calibration& calibration);

/// Prints one row with value and spread for each measured quantity.
void print_table(const cubefold::Machine& machine, const Calibration& calibration);
