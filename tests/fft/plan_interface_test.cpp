#include <string>

#include "fft/whole_plan.hpp"
#include "support/device_driver.hpp"
#include "support/message_of.hpp"

namespace cubefold::fft {
namespace {

TEST_F(PlanTest, gives_boxes_that_cover_the_array) {
  PlanOptions options;
  for (const auto& lengths : std::vector<std::vector<std::size_t>>{{4096}, {97}, {12, 10, 9}, {2, 3}}) {
    Plan<double> plan(comm, lengths, options);
    const LocalBox box = plan.input_box();
    unsigned long long mine = 1;
    for (const std::size_t extent : box.extents) mine *= extent;
    EXPECT_LE(mine, plan.input_count());
    MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(mine, plan.input().point_count());
    ASSERT_EQ(box.extents.size(), lengths.size());
    if (plan.input_count() == 0) continue;
    std::size_t first = 0;
    for (std::size_t d = 0; d < lengths.size(); ++d) first = first * lengths[d] + box.offsets[d];
    EXPECT_EQ(first, plan.input().point_at(plan.members(), 0));
  }
}

TEST_F(PlanTest, gives_ranks_their_blocks_in_order_where_asked_for) {
  std::string nodes = "nodes=";
  for (int node = world_size(); node-- > 0;) nodes += std::to_string(node) + (node > 0 ? "-" : "");
  const mpi::VirtualComm backwards(MPI_COMM_WORLD, "mesh:" + std::to_string(world_size()), nodes);
  PlanOptions options{.transposed_output = true};
  options.decomposition = Decomposition::slab;
  options.blocks_by_rank = true;
  const Plan<double> plan(backwards, {8, 12, 3}, options);
  EXPECT_EQ(plan.members(), Layout::Members{label(backwards.rank())});
  EXPECT_EQ(plan.rank_of(plan.members()), backwards.rank());
  expect_transform<double>(backwards, {8, 12, 3}, options);
  options.decomposition = Decomposition::automatic;
  EXPECT_EQ(message_of([&] {
              Plan<double>(backwards, {8, 12, 3}, options);
            }),
            "fft::Plan: only slabs have blocks_by_rank");
}

TEST_F(PlanTest, takes_a_workspace_of_the_callers) {
  Plan<double> plan(comm, {1155});
  std::vector<std::complex<double>> workspace(plan.workspace_bytes() / sizeof(std::complex<double>) + 1);
  plan.use_workspace(workspace.data());
  const auto x = random_complex<double>(1155, 3);
  EXPECT_LE(error_of(transformed(plan, comm, x), long_dft(widened(x), -1)), error_limit<double>(1155));
  if (plan.workspace_bytes() > 0) {
    EXPECT_EQ(message_of([&] { plan.use_workspace(nullptr); }), "use_workspace: the memory is NULL");
  }
}

TEST_F(PlanTest, needs_no_more_than_a_work_array_where_processes_divide_the_factors) {
  const auto p = static_cast<std::size_t>(world_size());
  if (16384 % (p * p) != 0) GTEST_SKIP() << "needs a power of two";
  for (const auto distribution : natural_or_scrambled) {
    Plan<double> plan(comm, {16384}, line_options(Distribution::block, distribution, Transform::forward));
    EXPECT_LE(plan.workspace_bytes(), plan.input_count() * sizeof(std::complex<double>));
  }
}

TEST_F(PlanTest, refuses_what_does_not_go_together_on_all_processes) {
  const auto refusal = [&](const std::vector<std::size_t>& lengths, const PlanOptions& options) {
    return message_of([&] { Plan<double>(comm, lengths, options); });
  };
  EXPECT_EQ(refusal({}, {}), "fft::Plan: no lengths");
  EXPECT_EQ(refusal({4, 0}, {}), "fft::Plan: length 0 in 4x0: lengths are at least 1");
  EXPECT_EQ(refusal({std::size_t{1} << 40, std::size_t{1} << 40}, {}),
            "fft::Plan: 1099511627776x1099511627776 is more than 2^62 points");
  PlanOptions options;
  options.batch = 0;
  EXPECT_EQ(refusal({4}, options), "fft::Plan: batch 0 is no array");
  EXPECT_EQ(refusal({4, 4}, line_options(Distribution::cyclic, Distribution::block, Transform::forward)),
            "fft::Plan: arrays of more than one dimension are spread in blocks, not cyclic");
}

TEST_F(PlanTest, refuses_the_wrong_kind_of_points) {
  Plan<double> plan(comm, {16});
  std::vector<double> reals(64);
  std::vector<std::complex<double>> points(64);
  EXPECT_EQ(message_of([&] { plan.execute(reals.data(), points.data()); }),
            "execute: from real points to complex ones, but the plan goes from complex to complex");
}

TEST_F(PlanTest, refuses_memory_of_a_device) {
  const mpi::DeviceDriver driver("libamdhip64.so.6");
  ASSERT_TRUE(driver.is_loaded());
  const auto p = static_cast<std::size_t>(world_size());
  PlanOptions butterflies = line_options(Distribution::cyclic, Distribution::cyclic, Transform::forward);
  butterflies.algorithm = Algorithm::half_exchange;
  for (const PlanOptions& options : {PlanOptions{}, butterflies}) {
    if (options.algorithm == Algorithm::half_exchange && !mpi::world_is_a_cube()) continue;
    Plan<double> plan(comm, {p * p}, options);
    std::vector<std::complex<double>> points(plan.input_count() + plan.output_count());
    auto* held = driver.allocate<std::complex<double>>(points.size());
    const auto message = message_of([&] { plan.execute(points.data(), held); });
    EXPECT_NE(message.find("output is memory of a HIP device"), std::string::npos) << message;
  }
}

TEST_F(PlanTest, fails_on_all_processes_if_one_asks_for_something_else) {
  if (world_size() == 1) GTEST_SKIP() << "needs two processes that can differ";
  const bool odd_one = comm.rank() == Rank{1};
  const auto message = message_of([&] { Plan<double>(comm, {odd_one ? 32U : 64U}, {}); });
  EXPECT_NE(message.find("process 1 of"), std::string::npos) << message;
  const auto other = message_of([&] {
    if (odd_one) {
      Plan<float>(comm, {64}, {});
    } else {
      Plan<double>(comm, {64}, {});
    }
  });
  EXPECT_NE(other.find("single precision"), std::string::npos) << other;
}

TEST_F(PlanTest, explains_itself) {
  Plan<double> plan(comm, {16384});
  const std::string text = plan.explain();
  EXPECT_NE(text.find("16384 points, complex forward, block to block"), std::string::npos) << text;
  if (world_size() > 1) {
    EXPECT_NE(text.find("exchange"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace cubefold::fft
