#pragma once

#include <gtest/gtest.h>

#include <string>

#include "support/plan_cache_world.hpp"
#include "support/slow_network.hpp"

namespace cubefold::mpi {

/// Holds all processes on the clock of SlowNetwork, for tests of exchanges that are measured.
class TunedAlltoallTest : public testing::Test, protected PlanCacheWorld {
 protected:
  void SetUp() override {
    SlowNetwork::alltoall_seconds = 0;
    SlowNetwork::message_seconds = 0;
  }

  /// Exchanges blocks of 3 numbers so often that a candidate is chosen.
  void exchange_until_chosen(PlanCache& plans) const {
    for (int call = 0; call < enough_calls; ++call) ASSERT_EQ(exchanged(plans, 3), expected(3)) << call;
  }

  static bool says(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

  static constexpr int enough_calls = 10 * 26;
};

}  // namespace cubefold::mpi
