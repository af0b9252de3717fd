#pragma once

#include <cstddef>
#include <functional>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/exchange/method.hpp"
#include "cubefold/fft/binary_exchange.hpp"

namespace cubefold::fft {

/// The steps of the iterations of a binary exchange in packets, each by the TaskSchedule of its dimensions: what
/// mpi::CcCubeOptions::step_of asks.
std::function<std::size_t(std::size_t iteration, Rank rank, int dimension)> steps_of_iterations(
    const BinaryExchange& exchange, std::size_t packet_count, const Placement& placement,
    const NetworkRules& rules);

}  // namespace cubefold::fft
