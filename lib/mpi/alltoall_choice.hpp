#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "alltoall_plan.hpp"
#include "comm_context.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "cubefold/plan/exchange_plan.hpp"
#include "cubefold/simulation/machine.hpp"
#include "plan/exchange_tuning.hpp"
#include "requested_exchange.hpp"
#include "unequal_alltoall.hpp"

namespace cubefold::mpi {

/// The setup for blocks of one size, and a text with the reason for the choice.
struct AlltoallChoice {
  AlltoallSetup setup;
  std::string text;
};

/// The form of calls that exchange blocks. A blocking call with buffers may use MPI's own all-to-all; requests and
/// packets, whose exchanges overlap with other work, always use a schedule.
enum class ExchangeForm : std::uint8_t { blocking, overlapped };

inline constexpr const char* to_string(ExchangeForm form) {
  return form == ExchangeForm::blocking ? "blocking" : "overlapped";
}

/// One way to exchange blocks that is worth measuring. The method is empty for MPI's own all-to-all.
struct AlltoallCandidate {
  std::optional<ExchangeMethod> method;
  double predicted_seconds;                     ///< 0 without a machine file, whose times alone are reliable
  Backend backend = Backend::schedule;          ///< what uses the method, or Backend::mpi
  std::optional<StepSync> sync = std::nullopt;  ///< in place of the planner's synchronisation
};

/// Returns the name of a candidate, as `direct`, `direct by data`, `direct between nodes` or `direct between slots`.
std::string to_string(const AlltoallCandidate& candidate);

/// Chooses how blocks of a size are exchanged, by the rules that PlanCache states. No function but read_environment()
/// communicates, and all return the same on all processes.
class AlltoallChooser {
 public:
  /// The machine is that of comm.network(). `comm` must outlive this object. read_environment() must be called before
  /// any other function.
  AlltoallChooser(const VirtualComm& comm, std::optional<Machine> machine);

  /// Collective on the communicator of the exchanges: reads the variables of process 0 and finds the number of hosts.
  /// Throws std::invalid_argument on all processes for invalid values of the variables.
  void read_environment(MPI_Comm comm);

  /// Returns the choice for a block size if a rule decides it, or nothing if candidates are to be measured.
  std::optional<AlltoallChoice> decided(std::size_t block_bytes);

  /// Returns the candidates for calls of a form: MPI's own all-to-all, `linear` and the methods of measured_methods().
  /// If ranks share nodes, these are methods between nodes. Overlapped calls use neither MPI's own all-to-all nor
  /// methods between nodes. `direct` is a candidate with both synchronisations if ExchangeCandidate::other_sync is set.
  std::vector<AlltoallCandidate> candidates(std::size_t block_bytes, ExchangeForm form) const;

  /// Returns the setup of a candidate for a block size.
  AlltoallSetup setup_of(const AlltoallCandidate& candidate, std::size_t block_bytes) const;

  /// Returns a setup for blocks of unequal sizes.
  UnequalSetup choose_for_unequal_blocks();

  /// Returns the number of measured rounds, the value of CUBEFOLD_TRIALS.
  std::size_t round_count() const { return round_count_; }

  /// Returns the reason why CUBEFOLD_ALLTOALL is ignored, or an empty text if it is not set or not ignored.
  const std::string& refusal() const { return refusal_; }

 private:
  std::optional<AlltoallChoice> requested(std::size_t block_bytes);
  AlltoallChoice between_nodes_by(const AlltoallCandidate& candidate, std::size_t block_bytes) const;
  ExchangePlan plan_on(const Placement& placement, std::size_t block_bytes,
                       const ExchangePlanOptions& options) const;
  AlltoallChoice planned(std::size_t block_bytes, const ExchangePlanOptions& options,
                         std::string_view reason) const;
  AlltoallChoice unmeasured(std::size_t block_bytes) const;
  AlltoallChoice choice_of(const ExchangePlan& plan, std::string_view reason,
                           std::optional<StepSync> sync = std::nullopt) const;
  std::vector<AlltoallCandidate> best_methods(const Placement& placement, std::size_t block_bytes,
                                              std::size_t count_of_a_model) const;
  std::vector<AlltoallCandidate> between_nodes(std::size_t block_bytes) const;
  std::optional<std::size_t> bytes_between_nodes(std::size_t block_bytes) const;
  UnequalSetup unequal_on_shared_nodes(const std::optional<AlltoallChoice>& choice) const;
  ExchangeModel model() const;

  const VirtualComm* comm_;
  std::optional<Machine> machine_;
  std::optional<Placement> groups_;  ///< the placement of the groups that share nodes, if there are any
  bool are_groups_on_hosts_ = false;
  std::size_t host_count_ = 1;
  RequestedExchange requested_;
  std::size_t round_count_ = 0;
  std::string refusal_;
};

}  // namespace cubefold::mpi
