// One allocation fails on one process while a plan is made or runs. The tests use the C interface, which is built on
// Plan.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <string>
#include <vector>

#include "cubefold/cubefold_fft.h"
#include "support/failing_on_one.hpp"
#include "support/sweep.hpp"
#include "support/variable.hpp"
#include "support/world.hpp"

namespace cubefold::fft {
namespace {

using mpi::world_rank;
using mpi::world_size;

struct MemoryCase {
  std::vector<std::size_t> lengths;
  cubefold_fft_options options = CUBEFOLD_FFT_DEFAULTS;
};

/// Returns a case for every kind of plan that this number of processes allows.
std::vector<MemoryCase> memory_cases() {
  std::vector<MemoryCase> cases;
  const auto add = [&](std::vector<std::size_t> lengths) -> cubefold_fft_options& {
    return cases.emplace_back(MemoryCase{std::move(lengths)}).options;
  };
  add({240});
  add({12, 10}).transposed_output = 1;
  if (mpi::world_has_pencils()) add({6, 5, 8}).decomposition = CUBEFOLD_FFT_PENCIL;
  auto& bluestein = add({97});
  bluestein.batch = 2;
  bluestein.precision = CUBEFOLD_FFT_FLOAT;
  auto& real = add({120});
  real.kind = CUBEFOLD_FFT_REAL;
  real.transform = CUBEFOLD_FFT_INVERSE;
  const auto ranks = static_cast<std::size_t>(world_size());
  static const std::array<std::size_t, 4> columns{6, 2, 0, 2 * static_cast<std::size_t>(world_rank())};
  add({6, 2 * ranks}).input_box = columns.data();
  if (!mpi::world_is_a_cube()) return cases;
  const auto p = static_cast<std::size_t>(world_size());
  auto& halves = add({p * p * 3});
  halves.algorithm = CUBEFOLD_FFT_HALF_EXCHANGE;
  halves.input = halves.output = CUBEFOLD_FFT_CYCLIC;
  auto& wholes = add({p * 12});
  wholes.algorithm = CUBEFOLD_FFT_BINARY_EXCHANGE;
  wholes.output = CUBEFOLD_FFT_CYCLIC;
  return cases;
}

/// The numbers of a process at the input or the output of a plan. The memory is sufficient for either precision.
using Numbers = std::vector<std::complex<double>>;

Numbers transformed(cubefold_fft plan) {
  std::size_t input_count = 0;
  std::size_t output_count = 0;
  EXPECT_EQ(cubefold_fft_local_count(plan, CUBEFOLD_FFT_INPUT, &input_count), CUBEFOLD_SUCCESS);
  EXPECT_EQ(cubefold_fft_local_count(plan, CUBEFOLD_FFT_OUTPUT, &output_count), CUBEFOLD_SUCCESS);
  Numbers input(input_count + 1, {0.5, 0.25});
  Numbers output(output_count + 1);
  EXPECT_EQ(cubefold_fft_execute(plan, input.data(), output.data()), CUBEFOLD_SUCCESS);
  return output;
}

bool is_the_same_everywhere(const std::string& text) {
  std::array<char, 500> first{};
  text.copy(first.data(), first.size() - 1);
  MPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_CHAR, 0, MPI_COMM_WORLD);
  int same = text == first.data() ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return same != 0;
}

class PlanMemory : public testing::Test {
 protected:
  void SetUp() override {
    const std::string grid = mpi::grids_of_world().back();
    ASSERT_EQ(cubefold_comm_create(MPI_COMM_WORLD, grid.c_str(), "identity", &comm_), CUBEFOLD_SUCCESS);
  }
  void TearDown() override { EXPECT_EQ(cubefold_comm_free(&comm_), CUBEFOLD_SUCCESS); }

  int create(const MemoryCase& what, cubefold_fft* plan) {
    return cubefold_fft_create(comm_, static_cast<int>(what.lengths.size()), what.lengths.data(),
                               &what.options, plan);
  }

  /// Makes a plan while allocation `number` fails on process `rank`. Returns whether the allocation failed. Expects
  /// either a correct plan on all processes, or the same error on all.
  bool one_fails(const MemoryCase& what, int rank, std::uint64_t number, const Numbers& expected) {
    cubefold_fft plan = nullptr;
    int status = CUBEFOLD_SUCCESS;
    int has_failed = 0;
    {
      const FailingAllocation allocation(world_rank() == rank ? number : FailingAllocation::never);
      status = create(what, &plan);
      has_failed = allocation.has_failed() ? 1 : 0;
    }
    const std::string text = status == CUBEFOLD_SUCCESS ? "" : cubefold_last_error();
    EXPECT_TRUE(is_the_same_everywhere(text)) << text;
    EXPECT_EQ(plan == nullptr, status != CUBEFOLD_SUCCESS);
    if (plan != nullptr) {
      EXPECT_EQ(transformed(plan), expected);
    } else {
      EXPECT_EQ(status, CUBEFOLD_ERROR_MEMORY) << text;
    }
    EXPECT_EQ(cubefold_fft_free(&plan), CUBEFOLD_SUCCESS);
    MPI_Bcast(&has_failed, 1, MPI_INT, rank, MPI_COMM_WORLD);
    return has_failed != 0;
  }

  cubefold_comm comm_ = nullptr;
};

TEST_F(PlanMemory, that_one_process_has_not_makes_planning_fail_on_all) {
  for (const MemoryCase& what : memory_cases()) {
    SCOPED_TRACE(fmt::format("{}", fmt::join(what.lengths, "x")));
    cubefold_fft plan = nullptr;
    ASSERT_EQ(create(what, &plan), CUBEFOLD_SUCCESS);
    const Numbers expected = transformed(plan);
    ASSERT_EQ(cubefold_fft_free(&plan), CUBEFOLD_SUCCESS);
    for (const int rank : {0, world_size() - 1})
      for (std::uint64_t number = 1; one_fails(what, rank, number, expected);
           number = mpi::next_allocation(number, mpi::Sweep::sample)) {
        if (HasFailure()) FAIL() << "allocation " << number << " of process " << rank;
      }
  }
}

// The texts of larger plans are longer, and more of their allocations are of points. The sweep over allocations of
// small plans that communicate takes every eleventh. With CUBEFOLD_SWEEP=all, two processes take all, because each
// place is a different one, and other numbers of processes, which take turns on few cores, every seventh.
TEST_F(PlanMemory, that_one_process_has_not_at_any_place_makes_small_plans_fail_on_all) {
  for (const MemoryCase& what : {MemoryCase{{12}}, MemoryCase{{4, 6}}}) {
    SCOPED_TRACE(fmt::format("{}", fmt::join(what.lengths, "x")));
    cubefold_fft plan = nullptr;
    ASSERT_EQ(create(what, &plan), CUBEFOLD_SUCCESS);
    const Numbers expected = transformed(plan);
    ASSERT_EQ(cubefold_fft_free(&plan), CUBEFOLD_SUCCESS);
    for (std::uint64_t number = 1; one_fails(what, world_size() - 1, number, expected);
         number = sweeps_take_all() && world_size() != 2 ? number + 7 : next_position(number, 11)) {
      if (HasFailure()) FAIL() << "allocation " << number;
    }
  }
}

// Processes on one host exchange by MPI_Alltoall. The schedules of cubefold::mpi would allocate memory, and so do
// exchanges of unequal blocks when they are first run.
TEST_F(PlanMemory, is_all_taken_before_a_transform_runs) {
  for (const MemoryCase& what : memory_cases()) {
    if (what.options.algorithm != CUBEFOLD_FFT_AUTOMATIC_ALGORITHM) continue;
    if (what.options.input_box != nullptr) continue;
    SCOPED_TRACE(fmt::format("{}", fmt::join(what.lengths, "x")));
    cubefold_fft plan = nullptr;
    ASSERT_EQ(create(what, &plan), CUBEFOLD_SUCCESS);
    Numbers points(1000, {0.5, 0.25});
    Numbers output(1000);
    const FailingAllocation none(FailingAllocation::never);
    EXPECT_EQ(cubefold_fft_execute(plan, points.data(), output.data()), CUBEFOLD_SUCCESS);
    EXPECT_EQ(cubefold_fft_execute(plan, points.data(), points.data()), CUBEFOLD_SUCCESS);
    EXPECT_EQ(none.count(), 0U);
    EXPECT_EQ(cubefold_fft_free(&plan), CUBEFOLD_SUCCESS);
  }
}

/// Runs a transform while allocation `number` fails on process `odd`. Returns whether the allocation failed. Expects
/// that no process reports an error otherwise.
bool one_fails_in_packets(const MemoryCase& what, int odd, std::uint64_t number) {
  cubefold_comm comm = nullptr;
  EXPECT_EQ(cubefold_comm_create(MPI_COMM_WORLD, mpi::grids_of_world().back().c_str(), "identity", &comm),
            CUBEFOLD_SUCCESS);
  cubefold_fft plan = nullptr;
  EXPECT_EQ(cubefold_fft_create(comm, static_cast<int>(what.lengths.size()), what.lengths.data(),
                                &what.options, &plan),
            CUBEFOLD_SUCCESS);
  Numbers points(1000, {0.5, 0.25});
  Numbers output(1000);
  std::array<int, 2> any{};
  {
    const FailingAllocation allocation(world_rank() == odd ? number : FailingAllocation::never);
    any[1] = cubefold_fft_execute(plan, points.data(), output.data()) == CUBEFOLD_SUCCESS ? 0 : 1;
    any[0] = allocation.has_failed() ? 1 : 0;
  }
  EXPECT_EQ(cubefold_fft_free(&plan), CUBEFOLD_SUCCESS);
  EXPECT_EQ(cubefold_comm_free(&comm), CUBEFOLD_SUCCESS);
  MPI_Allreduce(MPI_IN_PLACE, any.data(), 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  EXPECT_LE(any[1], any[0]);
  return any[0] != 0;
}

// The forced method exchanges in packets between fused local stages, as on several hosts. Processes that wait on any
// axis learn of the failure.
TEST_F(PlanMemory, that_one_process_has_not_makes_a_transform_in_packets_fail_on_all) {
  const mpi::Variable forced("CUBEFOLD_ALLTOALL", "direct", mpi::Variable::Where::everywhere);
  MemoryCase pencils{{6, 5, 8}};
  if (mpi::world_has_pencils()) pencils.options.decomposition = CUBEFOLD_FFT_PENCIL;
  for (const MemoryCase& what : {MemoryCase{{240}}, pencils})
    for (const int odd : {0, world_size() - 1})
      for (std::uint64_t number = 1; one_fails_in_packets(what, odd, number);
           number = next_position(number, 5)) {
        if (HasFailure()) FAIL() << "allocation " << number << " of process " << odd;
      }
}

}  // namespace
}  // namespace cubefold::fft
