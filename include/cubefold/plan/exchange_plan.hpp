#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/exchange/method.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/step_sync.hpp"
#include "cubefold/simulation/machine.hpp"
#include "cubefold/simulation/steps.hpp"

namespace cubefold {

/// The cost model of a plan. Steps take the times of StepTimes, with the largest tau of all axes. An exchange whose
/// steps are synchronised by the clock takes the barrier time once in addition. With gap = alpha this is the model of
/// [Calmant] section 5: a step with messages of L bytes takes alpha + L tau. The pieces of an exchange are smaller than
/// those of the model if a message has so many blocks that it would exceed 16 MiB. The model leaves out the start-ups
/// of the additional rounds.
struct ExchangeModel {
  double alpha_seconds = 0;
  double gap_seconds = 0;  ///< LogGP gap g: cost of a message in a stream besides its bytes
  std::vector<double> tau_seconds_per_byte{0};  ///< one for all axes, or one for each
  double barrier_seconds = 0;
  NetworkRules network;
  /// Exchanges on lossless networks run by data, and their times are ExchangeCandidate::routers.
  Queues queues = Queues::unknown;
  double copy_seconds_per_byte = typical_copy_seconds_per_byte;  ///< counts where queues are lossless

  double slowest_tau() const { return *std::ranges::max_element(tau_seconds_per_byte); }
};

/// Times of an exchange on a lossless network, in seconds, by its routers: voq lets packets pass those that wait for
/// other links, transit has queues and serves packets under way first, and rr has queues and serves them in turn.
struct RouterSeconds {
  double voq = 0;
  double transit = 0;
  double rr = 0;
  double cpu = 0;  ///< time of a process's CPU for its messages and copies, which the others include

  double least() const { return std::min({voq, transit, rr}); }
  double most() const { return std::max({voq, transit, rr}); }

  /// Returns whether the CPU takes longer than the links do with routers of transit.
  bool is_bound_by_cpu() const { return cpu >= transit; }
};

/// Returns the model of a calibrated machine.
CUBEFOLD_API ExchangeModel exchange_model(const Machine& machine, Tie tie);

/// Returns a model of hosts on an unknown network: alpha 50 us, gap 10 us, barrier 50 us, 100 MB/s. These are common
/// values, so the order of the candidates is meaningful. Their predicted times are not.
CUBEFOLD_API ExchangeModel typical_network();

/// A method for a complete exchange and its cost.
struct ExchangeCandidate {
  ExchangeMethod method;
  ExchangeCost cost;
  double seconds = 0;
  StepSync sync = StepSync::data;

  /// The other one of data and clock, if the largest number of bytes between two waits is within a factor of 4 of
  /// ExchangePlanOptions::burst_bytes. Only a measurement shows which one is faster then.
  std::optional<StepSync> other_sync = std::nullopt;

  /// True if the method sends more messages at once than queues hold. Its time is then a lower bound, and the method is
  /// chosen only if all candidates oversubscribe.
  bool oversubscribes = false;

  /// The times in routers of each kind if the model's queues are lossless; `seconds` is that of transit then.
  RouterSeconds routers = {};
};

/// The candidates for one block size in ascending order of their times. Candidates that oversubscribe come last. The
/// first candidate is the choice.
struct ExchangePlan {
  Grid grid;
  ExchangeModel model;
  std::size_t block_bytes = 0;
  std::size_t piece_bytes = 0;  ///< size of the pieces in which blocks travel
  /// Lower bound of every exchange. It counts alpha for the first start-up, and the smaller of alpha and gap for every
  /// other one, or nothing if queues are lossless.
  ExchangeBound bound{};
  std::vector<ExchangeCandidate> candidates;
  std::string why;  ///< the reason for the choice, in a few words

  const ExchangeCandidate& choice() const { return candidates.front(); }
  CUBEFOLD_API StepTimes times() const;
};

/// Says which methods plan_exchange() compares and how it synchronises their steps.
struct ExchangePlanOptions {
  /// The methods to compare. If empty, these are compared_methods().
  std::vector<ExchangeMethod> methods = {};
  /// A process that sends at most so many bytes in a phase without waiting needs no clock, because the network queues
  /// hold them without loss.
  std::size_t burst_bytes = 16 << 10;
  /// Longer blocks travel in pieces of this size.
  std::size_t largest_piece_bytes = 64 << 10;
  /// If true, exchange_methods() and cc-cube with the best of packet_counts() are compared, too.
  bool compares_all = false;
};

/// Compares the methods of the options for one block size. Throws std::invalid_argument if a method does not fit the
/// grid, and for a model that simulate_steps() rejects. Costs O(p log p), below a second for 4096 nodes.
CUBEFOLD_API ExchangePlan plan_exchange(const Placement& placement, std::size_t block_bytes,
                                        const ExchangeModel& model, const ExchangePlanOptions& options = {});

/// Returns what plan_exchange() returns for blocks of another size with the same placement, model and methods, and
/// without other options. Methods that take equal times keep their order in the plan. Computes no costs of methods,
/// because these are counted in blocks.
CUBEFOLD_API ExchangePlan plan_for_size(const ExchangePlan& plan, const Placement& placement,
                                        std::size_t block_bytes);

/// Returns some lines of text: the grid, the block size, the choice with its step synchronisation, its predicted time,
/// the lower bound, and the reason for the choice.
CUBEFOLD_API std::string describe(const ExchangePlan& plan);

}  // namespace cubefold
