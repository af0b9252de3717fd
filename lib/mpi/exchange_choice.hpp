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

#include "cubefold/mpi/complete_exchange.hpp"
#include "cubefold/mpi/exchange_space.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "cubefold/plan/exchange_plan.hpp"
#include "cubefold/simulation/machine.hpp"

namespace cubefold::mpi {

/// How blocks of a size are exchanged, and why so.
struct ExchangeChoice {
  ExchangeSetup setup;
  std::string text;
};

/// Chooses how blocks of a size are exchanged, by the rules that ExchangePlans states. Trials are made once for all
/// sizes from 2^k up to 2^(k+1) - 1 bytes, with the first of them that is asked for; the method that wins them is then
/// planned for each size.
class ExchangeChooser {
 public:
  /// Local. `comm` lives as long as this. Nothing can be chosen before read_environment().
  ExchangeChooser(const VirtualComm& comm, std::shared_ptr<ExchangeSpace> space,
                  const std::optional<Machine>& machine)
      : comm_(&comm), space_(std::move(space)), machine_(machine) {}

  /// Collective. Throws std::invalid_argument on all processes for what the variables may not be.
  void read_environment();

  /// Collective, while nothing is under way on the space. Frees all that was only tried. Throws on all processes alike.
  ExchangeChoice choose(std::size_t block_bytes);

  /// Collective, as choose(): a setup for blocks of unequal sizes, whose method passes no blocks on.
  ExchangeSetup choose_for_unequal_blocks();

  /// Returns why CUBEFOLD_ALLTOALL is not obeyed; empty if it is, or is not set.
  const std::string& refusal() const { return refusal_; }

 private:
  std::vector<ExchangeChoice> alternatives(std::size_t block_bytes);
  std::optional<ExchangeChoice> requested(std::size_t block_bytes);
  ExchangeChoice planned(std::size_t block_bytes, const ExchangePlanOptions& options,
                         std::string_view reason) const;
  std::vector<ExchangeChoice> to_try(std::size_t block_bytes) const;
  std::vector<ExchangeCandidate> candidates(std::size_t block_bytes) const;
  std::optional<ExchangeChoice> fastest(std::span<const ExchangeChoice> choices, std::size_t block_bytes);
  ExchangeModel model() const;

  const VirtualComm* comm_;
  std::shared_ptr<ExchangeSpace> space_;
  std::optional<Machine> machine_;
  std::size_t host_count_ = 1;
  std::string requested_;  ///< by CUBEFOLD_ALLTOALL
  int trial_count_ = 0;    ///< of CUBEFOLD_TRIALS
  std::string refusal_;
  /// The winner of trials with blocks of bit_width k.
  std::array<std::optional<ExchangeChoice>, std::numeric_limits<std::size_t>::digits + 1> tuned_;
};

}  // namespace cubefold::mpi
