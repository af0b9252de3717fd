#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/exchange/cost.hpp"
#include "cubefold/exchange/method.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/pacing.hpp"
#include "cubefold/simulation/bounds.hpp"
#include "cubefold/simulation/machine.hpp"

namespace cubefold {

/// The costs that a plan reckons with. Steps take the times of StepTimes, tau the largest of those of the axes, and the
/// barrier is paid once where steps are kept by the clock. With gap = alpha that is the model of [Calmant] section 5,
/// alpha + L tau for a step with messages of L bytes.
struct ExchangeModel {
  double alpha_seconds = 0;
  double gap_seconds = 0;
  std::vector<double> tau_seconds_per_byte{0};  ///< one for all axes, or one for each
  double barrier_seconds = 0;
  NetworkRules network;
};

/// Returns the model of a calibrated machine.
CUBEFOLD_API ExchangeModel exchange_model(const Machine& machine, Tie tie);

/// Returns a model of hosts on an unknown network: alpha 50 us, gap 10 us, 100 MB/s. These are common enough that the
/// order of candidates makes sense; their times mean little.
CUBEFOLD_API ExchangeModel typical_network();

/// A way to do a complete exchange, and what it costs.
struct ExchangeCandidate {
  ExchangeMethod method;
  ExchangeCost cost;
  double seconds = 0;
  Pacing pacing = Pacing::data;

  /// True if the method sends more messages at once than queues hold. Its time is then a lower bound, and it is chosen
  /// only if there is nothing else.
  bool oversubscribes = false;
};

/// The candidates for one block size in the order of their times, the first of which is the choice.
struct ExchangePlan {
  Grid grid;
  ExchangeModel model;
  std::size_t block_bytes = 0;
  std::size_t piece_bytes = 0;  ///< in which blocks travel
  ExchangeBound bound{};        ///< start-ups after the first at the smaller of alpha and gap
  std::vector<ExchangeCandidate> candidates;
  std::string why;  ///< the choice, in a few words

  const ExchangeCandidate& choice() const { return candidates.front(); }
  CUBEFOLD_API StepTimes times() const;
};

/// Compares all methods that fit the grid, or the given ones only. A process sends all at once, without a clock, where
/// it sends no more than burst_bytes in a phase: that much waits in queues without loss. Blocks above
/// largest_piece_bytes travel in pieces. Throws std::invalid_argument if no method fits, and for a model that
/// simulate_steps() refuses. O(p log p): under 10 ms for 64 nodes, 0.2 s for 4096.
struct ExchangePlanOptions {
  std::vector<ExchangeMethod>
      methods;  ///< none: exchange_methods(), and cc-cube with the best of packet_counts()
  std::size_t burst_bytes = 16 << 10;
  std::size_t largest_piece_bytes = 64 << 10;
};
CUBEFOLD_API ExchangePlan plan_exchange(const Placement& placement, std::size_t block_bytes,
                                        const ExchangeModel& model, const ExchangePlanOptions& options = {});

/// Some lines for people: grid and block, the bound, the choice with its pacing and times, and why.
CUBEFOLD_API std::string describe(const ExchangePlan& plan);

}  // namespace cubefold
