#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "axis_network.hpp"
#include "cubefold/fft/alternatives.hpp"
#include "cubefold/fft/program.hpp"

namespace cubefold::fft {

/// What choose() is asked.
struct Wanted {
  const std::vector<std::size_t>& lengths;
  const PlanOptions& options;
  std::size_t point_bytes;
  const Network& network;
};

Choice line_choice(const Wanted& wanted);
Choice array_choice(const Wanted& wanted);

/// Messages and bytes of a program, and its time where there are networks of its process axes.
Alternative alternative_of(const Program& program, const Wanted& wanted,
                           const std::vector<AxisNetwork>& axes);

/// Those without a time stay where they are, behind the others.
void sort_by_time(std::vector<Alternative>::iterator first, std::vector<Alternative>::iterator last);

/// What is said of the first after that.
std::string why_of_times(const Network& network);

}  // namespace cubefold::fft
