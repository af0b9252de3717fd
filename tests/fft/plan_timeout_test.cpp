// CUBEFOLD_TIMEOUT ends a transform for which a process comes too late.

#include <mpi.h>

#include <complex>
#include <memory>
#include <optional>
#include <vector>

#include "fft/whole_plan.hpp"
#include "mpi/agreement.hpp"
#include "support/variable.hpp"

namespace cubefold::fft {
namespace {

TEST_F(PlanTest, ends_where_a_process_does_not_come_and_can_be_freed_after_that) {
  if (mpi::world_size() == 1) GTEST_SKIP() << "a process does not wait for itself";
  const bool is_missing = mpi::world_rank() == mpi::world_size() - 1;
  std::optional<mpi::Failure> failure;
  {
    std::unique_ptr<Plan<double>> plan;
    {
      const mpi::Variable limit("CUBEFOLD_TIMEOUT", "0.2");
      plan = std::make_unique<Plan<double>>(comm, std::vector<std::size_t>{240}, PlanOptions{});
    }
    Array<std::complex<double>> points(plan->input_count(), {0.5, 0.25});
    Array<std::complex<double>> spectrum(plan->output_count());
    if (is_missing) MPI_Barrier(MPI_COMM_WORLD);
    failure = mpi::failure_of([&] { plan->execute(points.data(), spectrum.data()); });
    if (!is_missing) MPI_Barrier(MPI_COMM_WORLD);
  }
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->status, mpi::Status::timeout) << failure->text;
  EXPECT_NE(failure->text.find(" waited 0.2 s for "), std::string::npos) << failure->text;
}

}  // namespace
}  // namespace cubefold::fft
