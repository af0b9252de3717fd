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

#include "alltoall_plan.hpp"
#include "comm_context.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "cubefold/plan/exchange_plan.hpp"
#include "cubefold/simulation/machine.hpp"

namespace cubefold::mpi {

/// The setup for blocks of one size, and a text with the reason for the choice.
struct AlltoallChoice {
  AlltoallSetup setup;
  std::string text;
};

/// Chooses how blocks of a size are exchanged, by the rules that PlanCache states. Trials are made once for all sizes
/// from 2^k to 2^(k+1) - 1 bytes, with the first such size that is asked for. The winning method is then planned for
/// each size.
class AlltoallChooser {
 public:
  /// Does not communicate. `comm` must outlive this object. read_environment() must be called before any choice.
  AlltoallChooser(const VirtualComm& comm, std::shared_ptr<CommContext> context,
                  std::optional<Machine> machine)
      : comm_(&comm), context_(std::move(context)), machine_(std::move(machine)) {}

  /// Collective: reads the variables of process 0 and finds the number of hosts. Throws std::invalid_argument on all
  /// processes for invalid values of the variables.
  void read_environment();

  /// Collective: returns the choice for a block size. No exchange may be under way on the context. Plans that were made
  /// only for trials are freed. If one process fails, all throw.
  AlltoallChoice choose(std::size_t block_bytes);

  /// Collective: returns a setup for blocks of unequal sizes, whose method does not forward blocks. Conditions and
  /// exceptions are those of choose().
  AlltoallSetup choose_for_unequal_blocks();

  /// Returns the reason why CUBEFOLD_ALLTOALL is ignored, or an empty text if it is not set or not ignored.
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
  std::string requested_;  ///< value of CUBEFOLD_ALLTOALL
  int trial_count_ = 0;    ///< value of CUBEFOLD_TRIALS
  std::string refusal_;
  /// Element k is the winner of the trials for block sizes of bit_width k.
  std::array<std::optional<AlltoallChoice>, std::numeric_limits<std::size_t>::digits + 1> tuned_;
};

}  // namespace cubefold::mpi
