#pragma once

#include "calibrate/calibration.hpp"
#include "cubefold/simulation/machine.hpp"

/// A row for each thing that was measured, with its spread.
void print_table(const cubefold::Machine& machine, const Calibration& calibration);
