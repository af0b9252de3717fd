// One process has no memory for the measurements that planning makes, which must not make planning fail.

#include "fft/whole_plan.hpp"
#include "support/failing_on_one.hpp"
#include "support/slow_network.hpp"

namespace cubefold::fft {
namespace {

class MeasuredPlanMemory : public PlanTest {};

// Each process has so many points that the blocks of a trial are longer than anything else but the arrays of the plan.
TEST_F(MeasuredPlanMemory, that_one_process_has_not_for_trials_leaves_them_to_transforms) {
  if (world_size() == 1) GTEST_SKIP() << "one process exchanges nothing";
  const mpi::SlowNetwork network;
  mpi::SlowNetwork::message_seconds = 1;
  const std::size_t length = 3000 * static_cast<std::size_t>(world_size());
  const auto x = random_complex<double>(length, 3);
  PlanOptions options;
  options.rigor = Rigor::measure;
  // The blocks of a trial are those of the exchange, and come before the arrays of the plan.
  for (const std::uint64_t number : {1U, 2U}) {
    std::optional<Plan<double>> plan;
    const std::size_t least_bytes = 3000 * sizeof(std::complex<double>);
    const auto outcome = mpi::outcome_of([&] { plan.emplace(comm, std::vector{length}, options); },
                                         world_size() - 1, number, least_bytes);
    EXPECT_TRUE(outcome.has_failed);
    ASSERT_EQ(outcome.text, "");
    EXPECT_LE(error_of(transformed(*plan, comm, x), long_dft(widened(x), -1)), error_limit<double>(length));
  }
}

}  // namespace
}  // namespace cubefold::fft
