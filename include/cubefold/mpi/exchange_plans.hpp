#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/mpi/complete_exchange.hpp"
#include "cubefold/mpi/exchange_space.hpp"
#include "cubefold/mpi/unequal_exchange.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "cubefold/plan/exchange_plan.hpp"
#include "cubefold/simulation/machine.hpp"

namespace cubefold::mpi {

struct Trials;

/// The exchanges of one set of processes, each planned when it is first asked for and then kept: the one place that
/// says how blocks of a size are exchanged. All share one space.
///
/// On several hosts the planner chooses, with a machine file; without one, trials do, of up to 64 processes. On one
/// host, whose memory all processes share, and on more hosts that nothing is known of, MPI's own all-to-all does no
/// worse. The environment variable CUBEFOLD_ALLTOALL overrides it: a method, as `direct` or `bruck:4`, or `mpi`; a
/// method that does not fit these processes is left out, and explain() says so. What the planner thinks best and MPI's
/// own all-to-all run CUBEFOLD_TRIALS times each, 3 if it is not set and 1000 at most, where that takes no longer than
/// seconds, and oftener where they are short; the fastest is taken. Where there is no memory for trials, or blocks are
/// longer than 2 GiB, the planner's choice is taken without.
class CUBEFOLD_API ExchangePlans {
 public:
  /// Collective: duplicates the communicator, and reads the machine file. `comm` lives as long as this. Throws
  /// std::invalid_argument on all processes alike for a machine file that does not fit, and for what CUBEFOLD_ALLTOALL
  /// may not be.
  explicit ExchangePlans(const VirtualComm& comm);

  /// The same, but on this machine, or one that nothing is known of, whatever the environment says: for processes that
  /// are part of those that the machine file was made for (on_axes()). The machine is the same on all processes.
  ExchangePlans(const VirtualComm& comm, const std::optional<Machine>& machine);

  /// What all its exchanges share.
  ExchangeSpace& space() const { return *space_; }

  /// Collective where it plans, and always under CUBEFOLD_CHECK; then it first waits for all that is under way. Throws
  /// as make_exchanger(), and under CUBEFOLD_CHECK on all processes for block sizes that differ between them.
  CompleteExchange& for_blocks(std::size_t block_bytes);
  UnequalExchange& for_unequal_blocks();

  /// What for_blocks() chooses and what for_unequal_blocks() does, for people. Collective as they are.
  std::string explain(std::size_t block_bytes);
  std::string explain_equal(std::size_t block_bytes);  ///< the former alone

 private:
  /// How blocks of a size are exchanged, and why so.
  struct Choice {
    ExchangeSetup setup;
    std::string text;
  };

  void read_environment();
  const Choice& choice_for(std::size_t block_bytes);
  Choice choose(std::size_t block_bytes);
  std::vector<Choice> alternatives(std::size_t block_bytes);
  std::optional<Choice> requested(std::size_t block_bytes);
  Choice planned(std::size_t block_bytes, const ExchangePlanOptions& options, std::string_view reason) const;
  bool prepare(Trials& trials, std::span<const Choice> choices, std::size_t block_bytes);
  std::optional<Choice> fastest(std::span<const Choice> choices, std::size_t block_bytes);
  std::vector<ExchangeCandidate> candidates(std::size_t block_bytes) const;
  /// What blocks of all sizes share that are exchanged alike.
  struct PlannedExchange {
    ExchangeSetup setup;
    CompleteExchange exchange;
  };

  CompleteExchange& exchange_of(const ExchangeSetup& setup);
  ExchangeModel model() const;

  const VirtualComm* comm_;
  std::shared_ptr<ExchangeSpace> space_;
  std::optional<Machine> machine_;
  std::size_t host_count_ = 1;
  std::string wish_;  ///< of CUBEFOLD_ALLTOALL
  int trials_ = 0;    ///< of CUBEFOLD_TRIALS
  std::map<std::size_t, Choice> choices_;
  std::string refusal_;  ///< why CUBEFOLD_ALLTOALL is not obeyed
  std::list<PlannedExchange> equal_;
  std::map<std::size_t, CompleteExchange*> by_size_;
  std::optional<UnequalExchange> unequal_;
};

}  // namespace cubefold::mpi
