#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/fft/alternatives.hpp"
#include "cubefold/fft/program.hpp"
#include "cubefold/plan/exchange_plan.hpp"

namespace cubefold::fft {

/// Members of a process axis on the network axes that are theirs.
struct AxisNetwork {
  Placement placement;
  ExchangeModel model;
};

/// Nothing where times are of no use: on one host that nothing is known of.
std::optional<ExchangeModel> model_of(const Network& network);

/// All processes in one row, in the order of their ranks. Requires model_of().
AxisNetwork network_of_all(const Network& network);

/// Process axis i as axes_of_grid() makes it of the network axes axes[i]. Requires model_of().
std::vector<AxisNetwork> networks_of_axes(const Network& network, const std::vector<std::vector<int>>& axes);

/// plan_exchange() of all exchanges of the program.
ExchangeSeconds exchange_seconds(const Program& program, std::size_t point_bytes,
                                 const std::vector<AxisNetwork>& axes);

}  // namespace cubefold::fft
