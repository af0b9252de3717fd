#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "alltoall_setup.hpp"
#include "cubefold/export.h"
#include "cubefold/plan/exchange_plan.hpp"
#include "job_facts.hpp"

namespace cubefold {

/// The setup for blocks of one size, and a text with the reason for the choice.
struct AlltoallChoice {
  AlltoallSetup setup;
  std::string text;
};

/// The form of calls that exchange blocks. A blocking call with buffers may use MPI's own all-to-all; requests and
/// packets, whose exchanges overlap with other work, always use a schedule.
enum class CallKind : std::uint8_t { blocking, overlapped };

inline constexpr const char* to_string(CallKind form) {
  return form == CallKind::blocking ? "blocking" : "overlapped";
}

/// One way to exchange blocks that is worth measuring. The method is empty for MPI's own all-to-all.
struct AlltoallCandidate {
  std::optional<ExchangeMethod> method;
  double predicted_seconds;                     ///< 0 without a machine file, whose times alone are reliable
  Backend backend = Backend::schedule;          ///< what uses the method, or Backend::mpi
  std::optional<StepSync> sync = std::nullopt;  ///< in place of the planner's synchronisation
};

/// Returns the name of a candidate, as `direct`, `direct by data`, `direct between nodes` or `direct between slots`.
CUBEFOLD_API std::string to_string(const AlltoallCandidate& candidate);

/// Chooses how blocks of a size are exchanged, by the rules that PlanCache states. It is a value and does not
/// communicate: equal facts give the same choices on all processes.
class CUBEFOLD_API AlltoallChooser {
 public:
  /// Costs a plan of the requested method, if there is one.
  explicit AlltoallChooser(JobFacts facts);

  /// Returns the choice for a block size if a rule decides it, or nothing if candidates are to be measured.
  std::optional<AlltoallChoice> decided(std::size_t block_bytes) const;

  /// Returns the candidates for calls of a form: MPI's own all-to-all, `linear` and the methods of measured_methods().
  /// If ranks share nodes, these are methods between nodes. Overlapped calls use neither MPI's own all-to-all nor
  /// methods between nodes. `direct` is a candidate with both synchronisations if ExchangeCandidate::other_sync is set.
  std::vector<AlltoallCandidate> candidates(std::size_t block_bytes, CallKind form) const;

  /// Returns the setup of a candidate for a block size.
  AlltoallSetup setup_of(const AlltoallCandidate& candidate, std::size_t block_bytes) const;

  /// Returns a setup for blocks of unequal sizes.
  UnequalSetup choose_for_unequal_blocks() const;

  /// Returns the least number of measured rounds.
  std::size_t round_count() const { return facts_.round_count; }

  /// Returns the reason why CUBEFOLD_ALLTOALL is ignored, or an empty text if it is not set or not ignored.
  const std::string& refusal() const { return refusal_; }

 private:
  AlltoallChoice requested(const ExchangeMethod& method, std::size_t block_bytes) const;
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
  ExchangeModel model_without_times() const;

  const NodeSharing& sharing() const { return *facts_.sharing; }
  const Placement& groups() const { return facts_.sharing->groups(); }

  JobFacts facts_;
  std::string refusal_;
};

}  // namespace cubefold
