#pragma once

#include <optional>
#include <vector>

#include "calibrate/bench.hpp"
#include "calibrate/sharing.hpp"
#include "cubefold/simulation/machine.hpp"

/// All that is measured, with its spread; per axis nothing where the axis has no such links.
struct Calibration {
  Estimate alpha;
  Estimate gap;
  std::vector<std::optional<Estimate>> tau;
  Estimate barrier;
  std::optional<Slowdown> two_ports;
  std::vector<std::optional<Slowdown>> wraps;
};

/// Collective; requires two nodes.
Calibration calibrate(const Bench& bench);

/// Usable ports. Where no node has two links, one and all are the same.
cubefold::Ports ports_of(const Calibration& calibration);

/// What the machine file says, without where and when.
cubefold::Machine machine_of(const cubefold::Grid& grid, const Calibration& calibration);
