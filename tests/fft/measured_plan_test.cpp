// On several hosts, transforms measure the candidates of their exchanges, on the clock of SlowNetwork.

#include "fft/whole_plan.hpp"

#include <algorithm>

#include "support/slow_network.hpp"

namespace cubefold::fft {
namespace {

using mpi::SlowNetwork;

class MeasuredPlan : public PlanTest {
 protected:
  void expect_right(Plan<double>& plan, std::size_t length) const {
    const auto x = random_complex<double>(length, 3);
    EXPECT_LE(error_of(transformed(plan, comm, x), long_dft(widened(x), -1)), error_limit<double>(length));
  }

  static bool says(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }

  const SlowNetwork network_;
};

TEST_F(MeasuredPlan, transforms_rightly_with_every_candidate_until_one_is_chosen) {
  Plan<double> plan(comm, {60});
  EXPECT_TRUE(plan.is_measuring());
  EXPECT_TRUE(says(plan.explain(), "\nexchange 1 by measured calls: measuring; the next call uses linear"))
      << plan.explain();
  for (int call = 0; call < 720; ++call) expect_right(plan, 60);
  EXPECT_FALSE(plan.is_measuring());
}

TEST_F(MeasuredPlan, leaves_exchanges_to_mpi_if_planning_measures_that_it_is_faster) {
  SlowNetwork::message_seconds = 1;
  PlanOptions options;
  options.rigor = Rigor::measure;
  Plan<double> plan(comm, {60}, options);
  EXPECT_FALSE(plan.is_measuring());
  EXPECT_TRUE(says(plan.explain(), "by measured calls: MPI's own all-to-all")) << plan.explain();
  expect_right(plan, 60);
}

TEST_F(MeasuredPlan, of_two_axes_goes_on_after_a_second_plan_of_the_same_lengths) {
  Plan<double> first(comm, {8, 8, 8});
  std::vector<std::complex<double>> points(std::max(first.input_count(), first.output_count()) + 1);
  first.execute(points.data(), points.data());
  Plan<double> second(comm, {8, 8, 8});
  for (int call = 0; call < 260; ++call) {
    first.execute(points.data(), points.data());
    second.execute(points.data(), points.data());
  }
  EXPECT_FALSE(first.is_measuring());
  EXPECT_FALSE(second.is_measuring());
}

}  // namespace
}  // namespace cubefold::fft
