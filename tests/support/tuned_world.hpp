#pragma once

#include <gtest/gtest.h>

#include <string>

#include "support/plan_cache_world.hpp"
#include "support/slow_network.hpp"

namespace cubefold::mpi {

/// Holds all processes on the clock of SlowNetwork, for tests of exchanges that are measured.
class MeasuredExchange : public testing::Test, protected SlowNetwork, protected PlanCacheWorld {
 protected:
  /// Exchanges blocks of 3 numbers so often that a candidate is chosen.
  void exchange_until_chosen(PlanCache& plans) const {
    for (int call = 0; call < enough_calls; ++call) ASSERT_EQ(exchanged(plans, 3), expected(3)) << call;
  }

  /// Returns the measurements of calls of a kind, after processes have agreed on the last measured call. All processes
  /// must call this.
  static const Tuner& measured(PlanCache& plans, std::size_t bytes, CallKind kind = CallKind::blocking) {
    const auto exchange = plans.for_blocks(bytes);
    exchange->record_last_times();
    return exchange->trials(kind)->tuner();
  }

  /// Returns whether the next measured call, which is the first one of a round, uses MPI's own all-to-all.
  static bool begins_with_mpi(const Tuner& calls) {
    return !calls.is_decided() && calls.candidates()[calls.tuning().next()].backend == Backend::mpi;
  }

  static bool says(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

  /// Suffices for 12 candidates, which have 6 counted calls each and come to be measured in every tenth call. No more
  /// can be measured: MPI's own all-to-all, `linear`, three methods of each of two models, `axes`, and the others of
  /// `direct`.
  static constexpr int enough_calls = 10 * 12 * static_cast<int>(ExchangeTuning::most_rounds);
};

}  // namespace cubefold::mpi
