#include "plan/neighbour_choice.hpp"

#include <gtest/gtest.h>

#include <string>

#include "support/alltoall_jobs.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

NeighbourGrid full_stencil() {
  std::vector<NeighbourGrid::Offset> offsets;
  for (std::int32_t x = -1; x <= 1; ++x) {
    for (std::int32_t y = -1; y <= 1; ++y) {
      for (std::int32_t z = -1; z <= 1; ++z)
        if (x != 0 || y != 0 || z != 0) offsets.push_back({x, y, z});
    }
  }
  return {parse_grid("torus:4x4x4"), offsets};
}

std::vector<Rank> same_ranks() {
  std::vector<Rank> ranks;
  for (std::uint32_t r = 0; r < 64; ++r) ranks.push_back(Rank{r});
  return ranks;
}

JobFacts asking_for(const std::string& text) {
  JobFacts job = job_on("torus:4x4x4");
  job.requests.neighbours = parse_requested_neighbours(text);
  return job;
}

NeighbourChooser chooser_of(const JobFacts& job) {
  return {job, full_stencil(), same_ranks()};
}

/// Returns the names of the candidates for blocks of equal sizes.
std::string candidates(const NeighbourChooser& chooser, std::uint64_t bytes) {
  std::string names;
  for (const auto& each : chooser.decide(std::vector<std::uint64_t>(26, bytes)).candidates)
    names += (names.empty() ? "" : ", ") + to_string(each);
  return names;
}

TEST(NeighbourChoice, measures_combined_messages_beside_mpi_where_start_ups_cost_more_than_bytes) {
  for (const Ports ports : {Ports::one, Ports::all}) {
    JobFacts job = job_on("torus:4x4x4");
    job.ports = ports;
    const NeighbourChooser chooser = chooser_of(job);
    EXPECT_EQ(candidates(chooser, 64), "MPI's own all-to-all, combined");
    EXPECT_EQ(candidates(chooser, 1 << 20), "MPI's own all-to-all");
    EXPECT_EQ(chooser.method_of_requests(std::vector<std::uint64_t>(26, 64)), NeighbourMethod::combined);
    EXPECT_EQ(chooser.method_of_requests(std::vector<std::uint64_t>(26, 1 << 20)), NeighbourMethod::direct);
    EXPECT_FALSE(chooser.leaves_all_to_mpi());
  }
}

TEST(NeighbourChoice, uses_the_prediction_alone_without_trials) {
  JobFacts job = job_on("torus:4x4x4");
  job.requests.round_count = 0;
  EXPECT_EQ(candidates(chooser_of(job), 64), "combined");
  EXPECT_EQ(candidates(chooser_of(job), 1 << 20), "MPI's own all-to-all");
}

TEST(NeighbourChoice, counts_the_bytes_of_each_edge) {
  const auto count_with_long_block = [](std::size_t edge) {
    std::vector<std::uint64_t> bytes(26, 8);
    bytes[edge] = 1 << 18;
    return chooser_of(job_on("torus:4x4x4")).decide(bytes).candidates.size();
  };
  EXPECT_EQ(count_with_long_block(4), 2U);  // a face, which takes one step in both methods
  EXPECT_EQ(count_with_long_block(0), 1U);  // a corner, which takes three steps if it is combined
}

TEST(NeighbourChoice, leaves_calls_to_mpi_on_one_host_without_a_network_and_without_a_stencil) {
  JobFacts job = job_on("torus:4x4x4");
  EXPECT_TRUE(NeighbourChooser(job, std::nullopt, {}).leaves_all_to_mpi());
  job.host_count = 1;
  EXPECT_TRUE(chooser_of(job).leaves_all_to_mpi());
  EXPECT_EQ(candidates(chooser_of(job), 64), "MPI's own all-to-all");
  job = job_on("torus:4x4x4");
  job.knows_network = false;
  EXPECT_TRUE(chooser_of(job).leaves_all_to_mpi());
}

TEST(NeighbourChoice, follows_a_request) {
  EXPECT_EQ(candidates(chooser_of(asking_for("direct")), 64), "direct");
  EXPECT_EQ(candidates(chooser_of(asking_for("combined")), 1 << 20), "combined");
  EXPECT_TRUE(chooser_of(asking_for("mpi")).leaves_all_to_mpi());
  const NeighbourChooser without_stencil(asking_for("combined"), std::nullopt, {});
  EXPECT_TRUE(without_stencil.leaves_all_to_mpi());
  EXPECT_EQ(without_stencil.method_of_requests({}), NeighbourMethod::direct);
  EXPECT_FALSE(NeighbourChooser(asking_for("direct"), std::nullopt, {}).leaves_all_to_mpi());
  EXPECT_EQ(message_of([] { parse_requested_neighbours("both"); }),
            "CUBEFOLD_NEIGHBORS: 'both' is not mpi, direct or combined");
}

}  // namespace
}  // namespace cubefold
