// Compares predictions and choices on small lossless networks with simulated times. tests/bench/lossless_choices.cpp
// does so on larger ones.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "plan/lossless_times.hpp"
#include "support/lossless_network.hpp"

namespace cubefold {
namespace {

ExchangeModel model_of(LosslessNetwork& network) {
  return exchange_model(network.machine(false), Tie::balanced);
}

constexpr std::size_t some_sizes[] = {256, 2048, 16384};

/// Calls visit(network) for some networks with these routers.
template <typename Visit>
void for_some_networks(Arbitration router, Visit visit) {
  for (const char* grid : {"torus:8x8", "torus:4x4x4"}) {
    for (const Ports ports : {Ports::one, Ports::all}) {
      SCOPED_TRACE(fmt::format("{} {}", grid, to_string(ports)));
      LosslessNetwork network({grid, ports, 100}, router);
      visit(network);
    }
  }
}

Decision decision_of(const LosslessNetwork& network, const Machine& machine, std::size_t bytes) {
  JobFacts job{network.placement()};
  job.host_count = network.placement().rank_count();
  job.machine = machine;
  job.requests.round_count = 0;
  return AlltoallChooser(job).decide(CallKind::blocking, {bytes, bytes, bytes});
}

TEST(LosslessTimes, are_within_a_third_of_simulated_ones_and_mostly_within_15_percent) {
  int close = 0;
  int all = 0;
  for_some_networks(Arbitration::transit, [&](LosslessNetwork& network) {
    for (const std::size_t bytes : some_sizes) {
      const ExchangePlan plan = plan_exchange(network.placement(), bytes, model_of(network));
      for (const ExchangeMethod& method : {plan.choice().method, parse_exchange_method("linear")}) {
        const auto candidate = std::ranges::find(plan.candidates, method, &ExchangeCandidate::method);
        const double ratio = candidate->seconds / network.seconds_of(method, bytes);
        EXPECT_GT(ratio, 0.67) << bytes << " " << to_string(method);
        EXPECT_LT(ratio, 1.5) << bytes << " " << to_string(method);
        if (std::abs(ratio - 1) <= 0.15) ++close;
        ++all;
      }
    }
  });
  EXPECT_GE(close, all * 3 / 4);
}

TEST(LosslessChoice, is_not_slower_than_the_fastest_all_to_all_of_mpi) {
  for (const Arbitration router : all_routers) {
    for_some_networks(router, [](LosslessNetwork& network) {
      for (const std::size_t bytes : some_sizes) {
        const auto choice = decision_of(network, network.machine(true), bytes).candidates.back();
        EXPECT_GE(network.mpi_seconds(bytes) / network.seconds_of(choice, bytes), 0.97)
            << bytes << " " << to_string(choice);
      }
    });
  }
}

TEST(LosslessChoice, gains_with_all_ports_where_messages_stay_on_their_axes) {
  LosslessNetwork network({"torus:8x8", Ports::all, 100}, Arbitration::transit);
  const auto decision = decision_of(network, network.machine(true), 16384);
  EXPECT_EQ(to_string(decision.candidates.back()), "axis-rotated");
  EXPECT_GT(network.mpi_seconds(16384) / network.seconds_of(decision.candidates.back(), 16384), 1.5);
  EXPECT_NE(decision.reason.find("times as fast"), std::string::npos) << decision.reason;
}

TEST(LosslessChoice, is_that_of_mpi_where_its_times_are_below_the_predictions) {
  LosslessNetwork network({"torus:8x8", Ports::all, 100}, Arbitration::transit);
  Machine machine = network.machine(false);
  machine.plain_exchanges = {{16384, 50e-6, 90e-6}};
  EXPECT_EQ(to_string(decision_of(network, machine, 16384).candidates.back()), "MPI's own all-to-all");
  machine.plain_exchanges = {{16384, 90e-6, 50e-6}};
  EXPECT_EQ(to_string(decision_of(network, machine, 16384).candidates.back()), "linear");
}

// The CPU of a node posts and completes 63 messages, whatever its ports.
TEST(LosslessTimes, of_short_blocks_are_those_of_messages_on_the_cpu) {
  for (const Ports ports : {Ports::one, Ports::all}) {
    LosslessNetwork network({"torus:4x4x4", ports, 100}, Arbitration::transit);
    const RouterSeconds linear = mpi_seconds(network.placement(), 64, model_of(network)).linear;
    EXPECT_DOUBLE_EQ(linear.cpu, 63 * 0.6e-6);
    EXPECT_DOUBLE_EQ(linear.transit, linear.cpu);
    EXPECT_TRUE(linear.is_bound_by_cpu());
  }
}

TEST(LosslessTimes, count_copies_of_short_blocks_that_are_forwarded) {
  LosslessNetwork network({"torus:8x8", Ports::all, 100}, Arbitration::transit);
  ExchangeModel model = model_of(network);
  const auto cpu_of = [&](std::size_t block_bytes) {
    return plan_exchange(network.placement(), block_bytes, model, {{parse_exchange_method("axis-rotated")}})
        .choice()
        .routers.cpu;
  };
  const double with_copies = cpu_of(2048);
  model.copy_seconds_per_byte = 0;
  EXPECT_NEAR(with_copies - cpu_of(2048), 1.89 * 63 * 2048 / 20e9, 0.01e-6);
  EXPECT_DOUBLE_EQ(cpu_of(2048), 28 * 0.6e-6) << "7 messages along each axis in each phase";
  model = model_of(network);
  EXPECT_DOUBLE_EQ(cpu_of(16384), 112 * 0.6e-6) << "blocks travel one by one";
}

TEST(LosslessTimes, leave_plans_of_other_networks_as_they_are) {
  LosslessNetwork network({"torus:8x8", Ports::all, 100}, Arbitration::transit);
  ExchangeModel model = model_of(network);
  const ExchangePlan lossless = plan_exchange(network.placement(), 1 << 17, model);
  EXPECT_EQ(lossless.choice().sync, StepSync::data);
  EXPECT_EQ(lossless.piece_bytes, std::size_t{1} << 17);
  for (const Queues queues : {Queues::unknown, Queues::lossy}) {
    model.queues = queues;
    const ExchangePlan plan = plan_exchange(network.placement(), 1 << 17, model);
    EXPECT_EQ(plan.choice().routers.transit, 0);
    EXPECT_LT(plan.piece_bytes, std::size_t{1} << 17);
  }
}

}  // namespace
}  // namespace cubefold
