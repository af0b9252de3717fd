#pragma once

#include "calibrate/calibration.hpp"
#include "cubefold/simulation/machine.hpp"

/// Prints one row with value and spread for each measured quantity.
void print_table(const cubefold::Machine& machine, const Calibration& calibration);
