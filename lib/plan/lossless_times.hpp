#pragma once

#include <cstddef>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/exchange/method.hpp"
#include "cubefold/export.h"
#include "cubefold/plan/exchange_plan.hpp"

namespace cubefold {

/// Predicts the time of an exchange on a network that loses nothing, where it runs by data, without clock, barrier or
/// window:
///
///     max(messages * 2 gap + copies, alpha + copies of a message + bytes * tau * detention)
///
/// for each phase, whose messages wait for those of the phase before:
///
/// - messages: those that a process sends. Its CPU posts as many and completes as many, one after the other, whatever
///   the ports. Blocks of single_block_bytes() and more that are forwarded travel one by one.
/// - copies: bytes that the process packs and unpacks, times ExchangeModel::copy_seconds_per_byte. They take the CPU
///   while earlier messages travel. The process of the middle node counts.
/// - alpha: with a twelfth of it for each link more than one.
/// - bytes: those on the busiest link or port, as ExchangeCost counts them.
/// - detention: how much longer packets hold the links than their bytes take, because they wait for others at the heads
///   of queues. It depends on the routers. Messages that turn from axis to axis (`direct`, `linear`) wait at each
///   router of their route: s = 1.12 with voq, 1 + 0.19 h with transit and 1 + 0.25 h with rr, h the mean hops of a
///   message, at most 8. Those that stay on their axis are held up along it only. Where links carry unequal loads,
///   queues behind the busiest ones are shorter: (s - 1) times the square of the mean load over the largest is added to
///   1. The port of a node is held up by nothing but its own packets.
///
/// The numbers 0.19, 0.25 and the like are fitted to simulate_packets(); docs/simulation.md has the errors. Costs
/// O(b log b) for the blocks b that a process sends.
CUBEFOLD_API RouterSeconds lossless_seconds(const ExchangeMethod& method, const ExchangeCost& cost,
                                            const Placement& placement, std::size_t block_bytes,
                                            const ExchangeModel& model);

/// Predicts the time of an exchange in which each step waits for the step before it, as pairwise and Bruck's do. A
/// process packs and unpacks so many blocks.
CUBEFOLD_API RouterSeconds stepwise_seconds(const ExchangeCost& cost, double copied_blocks,
                                            const Placement& placement, std::size_t block_bytes,
                                            const ExchangeModel& model);

/// Times of MPI's all-to-alls on a lossless network. The others that libraries have are not faster: `scattered` takes
/// as long as `linear`, and pairwise takes longer.
struct MpiSeconds {
  RouterSeconds linear;
  RouterSeconds bruck;  ///< every byte that is sent is packed and unpacked
};

CUBEFOLD_API MpiSeconds mpi_seconds(const Placement& placement, std::size_t block_bytes,
                                    const ExchangeModel& model);

/// Returns least_single_block_bytes() of the model's times, or AlltoallSetup::never if copies take no time.
CUBEFOLD_API std::size_t single_block_bytes(const ExchangeModel& model);

}  // namespace cubefold
