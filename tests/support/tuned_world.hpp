#pragma once

#include <gtest/gtest.h>

#include <string>

#include "support/plan_cache_world.hpp"
#include "support/slow_network.hpp"

namespace cubefold::mpi {

/// Holds all processes on the clock of SlowNetwork, for tests of exchanges that are measured.
class TunedAlltoallTest : public testing::Test, protected SlowNetwork, protected PlanCacheWorld {
 protected:
  /// Exchanges blocks of 3 numbers so often that a candidate is chosen.
  void exchange_until_chosen(PlanCache& plans) const {
    for (int call = 0; call < enough_calls; ++call) ASSERT_EQ(exchanged(plans, 3), expected(3)) << call;
  }

  static bool says(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

  /// Suffices for 12 candidates, which are called once to warm up and then 25 times. No more can be measured: MPI's own
  /// all-to-all, `linear`, three methods of each of two models, `axes`, and the second synchronisation of `direct`.
  static constexpr int enough_calls = 12 * 26;
};

}  // namespace cubefold::mpi
