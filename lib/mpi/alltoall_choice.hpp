#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cubefold/mpi/alltoall_plan.hpp"
#include "cubefold/mpi/comm_context.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "cubefold/plan/exchange_plan.hpp"
#include "cubefold/simulation/machine.hpp"

namespace cubefold::mpi {

/// How blocks of a size are exchanged, and why so.
struct AlltoallChoice {
  AlltoallSetup setup;
  std::string text;
};

/// Chooses how blocks of a size are exchanged, by the rules that PlanCache states. Trials are made once for all
/// sizes from 2^k up to 2^(k+1) - 1 bytes, with the first of them that is asked for; the method that wins them is then
/// planned for each size.
class AlltoallChooser {
 public:
  /// Local. `comm` lives as long as this. Nothing can be chosen before read_environment().
  AlltoallChooser(const VirtualComm& comm, std::shared_ptr<CommContext> context,
                  std::optional<Machine> machine)
      : comm_(&comm), context_(std::move(context)), machine_(std::move(machine)) {}

  /// Collective. Throws std::invalid_argument on all processes for what the variables may not be.
  void read_environment();

  /// Collective, while nothing is under way on the context. Frees all that was only tried. Throws on all processes
  /// alike.
  AlltoallChoice choose(std::size_t block_bytes);

  /// Collective, as choose(): a setup for blocks of unequal sizes, whose method passes no blocks on.
  AlltoallSetup choose_for_unequal_blocks();

  /// Returns why CUBEFOLD_ALLTOALL is not obeyed; empty if it is, or is not set.
  const std::string& refusal() const { return refusal_; }

 private:
  std::vector<AlltoallChoice> alternatives(std::size_t block_bytes);
  std::optional<AlltoallChoice> requested(std::size_t block_bytes);
  AlltoallChoice planned(std::size_t block_bytes, const ExchangePlanOptions& options,
                         std::string_view reason) const;
  std::vector<AlltoallChoice> to_try(std::size_t block_bytes) const;
  std::vector<ExchangeCandidate> candidates(std::size_t block_bytes) const;
  std::optional<AlltoallChoice> fastest(std::span<const AlltoallChoice> choices, std::size_t block_bytes);
  ExchangeModel model() const;

  const VirtualComm* comm_;
  std::shared_ptr<CommContext> context_;
  std::optional<Machine> machine_;
  std::size_t host_count_ = 1;
  std::string requested_;  ///< by CUBEFOLD_ALLTOALL
  int trial_count_ = 0;    ///< of CUBEFOLD_TRIALS
  std::string refusal_;
  /// The winner of trials with blocks of bit_width k.
  std::array<std::optional<AlltoallChoice>, std::numeric_limits<std::size_t>::digits + 1> tuned_;
};

}  // namespace cubefold::mpi
