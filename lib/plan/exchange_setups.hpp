#pragma once

#include <cstddef>
#include <optional>

#include "alltoall_candidate.hpp"
#include "cubefold/export.h"
#include "cubefold/plan/exchange_plan.hpp"
#include "job_facts.hpp"

namespace cubefold {

/// Plans exchanges by what is known of the times of a job's network, and returns their setups. It is a value: equal
/// facts give equal setups on all processes.
class CUBEFOLD_API ExchangeSetups {
 public:
  explicit ExchangeSetups(JobFacts facts) : facts_(std::move(facts)) {}

  const JobFacts& facts() const { return facts_; }

  /// Returns the model of the machine file, or that of a typical network.
  ExchangeModel model() const;

  /// Returns a plan by the machine file, whose times are those of its axes, to which the slots of nodes are not
  /// counted. On other axes and without a machine file, it is a plan by the model of a typical network. `ports`
  /// replaces those of the model. Throws as plan_exchange().
  ExchangePlan plan_on(const Placement& placement, std::size_t block_bytes,
                       const ExchangePlanOptions& options, std::optional<Ports> ports = {}) const;

  /// Returns whether a plan has the times of a machine file.
  bool has_times(const ExchangePlan& plan) const { return facts_.machine && plan.grid == facts_.network(); }

  /// Returns the start-ups of a rank and the block-times of a method on the grid of the ranks.
  ExchangeLoad load_of(const ExchangeMethod& method, Ports ports) const;

  /// Returns the setup of a plan with one method. Without times the clock cannot be used: a small window keeps
  /// processes together as far as their data dependences do. The times are those of the machine file or of the
  /// candidate, whose slots have no part for start-ups. The slots of the clock are those of equal blocks. Where queues
  /// lose nothing, all is posted at once in the order of the schedule, in whole blocks: a process that is late then
  /// delays only those that need its blocks.
  AlltoallSetup setup_of(const ExchangePlan& plan, const AlltoallCandidate& candidate) const;

  /// Returns the plan's choice with its setup.
  AlltoallCandidate candidate_of(const ExchangePlan& plan) const;

 private:
  ExchangeModel model_without_times() const;

  JobFacts facts_;
};

}  // namespace cubefold
