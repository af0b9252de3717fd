// Plans on one handle share their communicators.

#include <mpi.h>

#include <algorithm>
#include <cmath>

#include "fft/whole_plan.hpp"
#include "support/counted_calls.hpp"

namespace cubefold::fft {
namespace {

PlanOptions options_of(Transform transform) {
  PlanOptions options;
  options.transform = transform;
  return options;
}

int communicators_in_use() {
  const mpi::CountedCalls& counted = mpi::counted_calls();
  return counted.communicators_made - counted.communicators_freed;
}

/// Makes a plan, and returns how many communicators the plan makes and keeps.
int made_by_plan(const VirtualComm& comm, const std::vector<std::size_t>& lengths,
                 std::unique_ptr<Plan<double>>& plan, Transform transform) {
  const int before = communicators_in_use();
  plan = std::make_unique<Plan<double>>(comm, lengths, options_of(transform));
  return communicators_in_use() - before;
}

TEST_F(PlanTest, makes_no_communicators_that_another_plan_on_the_handle_has) {
  for (const auto& lengths : std::vector<std::vector<std::size_t>>{{240}, {12, 10}, {6, 5, 8}, {97}}) {
    std::unique_ptr<Plan<double>> there;
    std::unique_ptr<Plan<double>> back;
    EXPECT_GT(made_by_plan(comm, lengths, there, Transform::forward), 0);
    EXPECT_EQ(made_by_plan(comm, lengths, back, Transform::inverse), 0) << lengths.size() << " dimensions";
  }
}

TEST_F(PlanTest, shares_with_plans_that_outlive_it_and_the_handle) {
  auto handle = std::make_unique<VirtualComm>(MPI_COMM_WORLD, mpi::grids_of_world().back(), "identity");
  std::unique_ptr<Plan<double>> there;
  std::unique_ptr<Plan<double>> back;
  made_by_plan(*handle, {240}, there, Transform::forward);
  made_by_plan(*handle, {240}, back, Transform::inverse);
  handle.reset();
  Array<std::complex<double>> points(there->input_count(), {0.5, 0.25});
  Array<std::complex<double>> spectrum(std::max(there->output_count(), back->output_count()));
  there->execute(points.data(), spectrum.data());
  there.reset();
  back->execute(spectrum.data(), spectrum.data());
  for (std::size_t i = 0; i < points.size(); ++i) EXPECT_NEAR(std::abs(spectrum[i] - points[i]), 0, 1e-14);
}

}  // namespace
}  // namespace cubefold::fft
