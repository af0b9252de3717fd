#include "plan/vector_choice.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "support/alltoall_jobs.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

constexpr std::array chosen_collectives{VectorCollective::allgather, VectorCollective::reduce_scatter,
                                        VectorCollective::allreduce};

JobFacts asking_vectors_for(JobFacts job, const std::string& method) {
  job.requests.vector_method = parse_requested_vector_method(method);
  return job;
}

VectorDecision decision_for(const JobFacts& job, VectorCollective collective, std::size_t bytes,
                            Exactness exactness = Exactness::rounded) {
  VectorChooser chooser(job);
  chooser.prepare(collective);
  return chooser.decide(collective, bytes, exactness);
}

std::string chosen_for(const JobFacts& job, VectorCollective collective, std::size_t bytes,
                       Exactness exactness = Exactness::rounded) {
  const VectorDecision decision = decision_for(job, collective, bytes, exactness);
  return decision.is_mpi() ? "mpi" : to_string(*decision.method);
}

std::string reason_for(const JobFacts& job) {
  return decision_for(job, VectorCollective::allreduce, 1 << 20).reason;
}

TEST(VectorChoice, is_the_predicted_method_for_long_vectors_and_mpi_for_short_ones) {
  JobFacts job = job_on("torus:8x8");
  EXPECT_EQ(chosen_for(job, VectorCollective::allreduce, 8), "mpi");
  EXPECT_EQ(chosen_for(job, VectorCollective::allreduce, 64 << 10), "halving-swing");
  // A ring of one port sends as little as is possible, and its start-ups do not count then.
  EXPECT_EQ(chosen_for(job, VectorCollective::allreduce, 64 << 20), "mpi");
  job.ports = Ports::all;
  EXPECT_EQ(chosen_for(job, VectorCollective::allreduce, 64 << 20), "bucket:4");
  EXPECT_EQ(chosen_for(job, VectorCollective::reduce_scatter, 64 << 20), "bucket:4");
  EXPECT_EQ(chosen_for(job, VectorCollective::allgather, 64 << 20), "bucket:4");
}

TEST(VectorChoice, does_not_depend_on_the_exactness_unless_whole_swing_is_requested) {
  for (const char* grid : {"torus:8x8", "ring:16", "torus:4x4x4", "mesh:6x5"}) {
    for (const VectorCollective collective : chosen_collectives) {
      for (std::size_t bytes = 1; bytes <= 64 << 20; bytes *= 4)
        EXPECT_EQ(chosen_for(job_on(grid), collective, bytes, Exactness::exact),
                  chosen_for(job_on(grid), collective, bytes, Exactness::rounded));
    }
  }
  const JobFacts swing = asking_vectors_for(job_on("torus:8x8"), "whole-swing");
  EXPECT_EQ(chosen_for(swing, VectorCollective::allreduce, 8, Exactness::exact), "whole-swing");
  EXPECT_EQ(chosen_for(swing, VectorCollective::allreduce, 8, Exactness::rounded), "mpi");
}

TEST(VectorChoice, is_mpi_on_one_host_and_where_nothing_is_known) {
  JobFacts one_host = job_on("torus:8x8");
  one_host.host_count = 1;
  EXPECT_EQ(reason_for(one_host), "MPI's own function: all processes share the memory of one host");
  JobFacts unknown = job_on("torus:8x8");
  unknown.knows_network = false;
  EXPECT_EQ(reason_for(unknown), "MPI's own function: the test");
  for (const JobFacts& job : {one_host, unknown}) {
    VectorChooser chooser(job);
    EXPECT_TRUE(chooser.leaves_all_to_mpi());
    chooser.prepare(VectorCollective::allreduce);
    EXPECT_EQ(chooser.least_bytes(VectorCollective::allreduce), std::nullopt);
  }
}

// With one port a ring in the order of ranks sends hardly more than the nodes have to. With all ports it uses one link.
TEST(VectorChoice, takes_all_links_of_nodes_with_several_ranks) {
  for (JobFacts job : {even_job("torus:4x4", 4), uneven_job("torus:4x4")}) {
    EXPECT_EQ(chosen_for(job, VectorCollective::allreduce, 8), "mpi");
    EXPECT_EQ(chosen_for(job, VectorCollective::allreduce, 64 << 20), "mpi");
    job.ports = Ports::all;
    for (const VectorCollective collective : chosen_collectives) {
      EXPECT_EQ(chosen_for(job, collective, 8), "mpi");
      EXPECT_EQ(chosen_for(job, collective, 64 << 20), "halving-swing:4");
    }
  }
}

// On nodes of four ranks, steps to the rank 1 or 2 further stay there. The others are those of 4 nodes with 4 messages
// of each. One rank of each node for all of them sends what nodes of one rank do.
TEST(VectorChoice, counts_the_algorithms_of_mpi_where_ranks_share_nodes) {
  ExchangeModel model{1, 0.125, {1}, 0, {Ports::one, Tie::balanced}};
  model.copy_seconds_per_byte = 0.25;
  const NodeSharing sharing(placement_on("ring:4"), 4);
  const auto times = vector_times_of_mpi(VectorCollective::allgather, sharing, model);
  ASSERT_EQ(times.size(), 8U);
  EXPECT_NEAR(times[0].startup_seconds, 15, 1e-12);
  EXPECT_NEAR(times[0].seconds_per_byte, 15.0 / 16, 1e-12);
  EXPECT_NEAR(times[1].startup_seconds, 2 + 2 * 0.125, 1e-12);
  EXPECT_NEAR(times[1].seconds_per_byte, (0.5 + 0.25) * 0.25 + 4 * (0.125 + 0.0625), 1e-12);
  EXPECT_NEAR(times[4].startup_seconds, 3 + 4 * 0.125, 1e-12);
  EXPECT_NEAR(times[4].seconds_per_byte, 0.75 + 0.25, 1e-12);
}

// MPI's library may choose an algorithm that is slow on this network, and only a measurement tells.
TEST(VectorChoice, compares_with_the_measured_time_of_mpi) {
  JobFacts job = with_machine(job_on("ring:16"));
  constexpr std::size_t bytes = 1 << 20;
  const auto allreduce_by = [&](Exactness exactness) {
    return chosen_for(job, VectorCollective::allreduce, bytes, exactness);
  };
  EXPECT_EQ(allreduce_by(Exactness::rounded), "mpi");
  job.machine->plain_allreduces = {{bytes, 1}};
  EXPECT_EQ(allreduce_by(Exactness::rounded), "bucket");
  EXPECT_EQ(chosen_for(job, VectorCollective::allgather, bytes), "mpi");
  EXPECT_EQ(chosen_for(job, VectorCollective::allreduce, 2 * bytes), "mpi");
  job.machine->plain_allreduces = {{bytes, 1e-6}};
  EXPECT_EQ(allreduce_by(Exactness::rounded), "mpi");
  EXPECT_EQ(allreduce_by(Exactness::ordered), "halving-ordered");
  EXPECT_TRUE(decision_for(job, VectorCollective::allreduce, bytes)
                  .reason.ends_with("MPI's own function takes by the machine file 0.001 ms"));
  JobFacts shared = with_machine(even_job("ring:16", 2));
  const std::string by_model = chosen_for(shared, VectorCollective::allreduce, bytes);
  shared.machine->plain_allreduces = {{bytes, 1e-6}};
  EXPECT_EQ(chosen_for(shared, VectorCollective::allreduce, bytes), by_model);
}

TEST(VectorChoice, is_what_the_user_asks_for_if_it_fits) {
  JobFacts one_host = job_on("ring:8");
  one_host.host_count = 1;
  EXPECT_EQ(chosen_for(asking_vectors_for(one_host, "halving-swing:2"), VectorCollective::allgather, 0),
            "halving-swing:2");
  EXPECT_EQ(chosen_for(asking_vectors_for(job_on("torus:8x8"), "mpi"), VectorCollective::allreduce, 64 << 20),
            "mpi");
  const JobFacts whole = asking_vectors_for(one_host, "whole-cube");
  EXPECT_EQ(chosen_for(whole, VectorCollective::allreduce, 8), "whole-cube");
  EXPECT_EQ(chosen_for(whole, VectorCollective::allgather, 8), "mpi");
  EXPECT_EQ(VectorChooser(whole).refusal(VectorCollective::allgather),
            "CUBEFOLD_ALLREDUCE 'whole-cube' is ignored: vector_parts: whole-cube is no allgather");
  EXPECT_EQ(VectorChooser(whole).refusal(VectorCollective::allreduce), "");
  EXPECT_TRUE(decision_for(whole, VectorCollective::allgather, 8).reason.ends_with("is no allgather"));
  EXPECT_EQ(
      decision_for(whole, VectorCollective::allreduce, 8, Exactness::unknown).reason,
      "MPI's own function: all processes share the memory of one host; CUBEFOLD_ALLREDUCE 'whole-cube' is "
      "ignored: ranks might get different bits by it");
  const JobFacts odd = asking_vectors_for(job_on("ring:6"), "halving-ordered:2");
  EXPECT_NE(VectorChooser(odd).refusal(VectorCollective::allreduce), "");
  EXPECT_EQ(chosen_for(odd, VectorCollective::allreduce, 64 << 20),
            chosen_for(job_on("ring:6"), VectorCollective::allreduce, 64 << 20));
  EXPECT_EQ(
      chosen_for(asking_vectors_for(even_job("ring:4", 2), "bucket"), VectorCollective::allreduce, 1 << 20),
      "bucket");
}

/// Returns the names of the methods among which times choose, or an empty text.
std::string measured_by(const JobFacts& job, std::size_t bytes, Exactness exactness) {
  VectorChooser chooser(job);
  chooser.prepare(VectorCollective::allreduce);
  std::string names;
  for (const auto& each :
       chooser.measured_candidates(VectorCollective::allreduce, bytes, exactness).candidates)
    names += names.empty() ? "mpi" : " " + to_string(each);
  return names;
}

TEST(VectorChoice, is_made_by_times_only_for_exact_operations_or_if_the_user_asks_for_it) {
  JobFacts job = job_on("torus:4x4");
  job.ports = Ports::all;
  const std::size_t long_vector = 4 << 20;
  EXPECT_EQ(measured_by(job, 8, Exactness::exact), "");
  const std::string begin = "mpi " + chosen_for(job, VectorCollective::allreduce, long_vector);
  EXPECT_TRUE(measured_by(job, long_vector, Exactness::exact).starts_with(begin));
  EXPECT_EQ(measured_by(job, long_vector, Exactness::rounded), "");
  EXPECT_EQ(measured_by(job, long_vector, Exactness::unknown), "");
  EXPECT_EQ(measured_by(asking_vectors_for(job, "bucket"), long_vector, Exactness::exact), "");
  const JobFacts tuned = asking_vectors_for(job, "tune");
  for (const Exactness exactness : {Exactness::exact, Exactness::rounded, Exactness::unknown}) {
    EXPECT_TRUE(measured_by(tuned, long_vector, exactness).starts_with(begin));
    EXPECT_EQ(measured_by(tuned, 8, exactness).find("whole") != std::string::npos,
              exactness != Exactness::unknown);
  }
  JobFacts unmeasured = tuned;
  unmeasured.requests.round_count = 0;
  EXPECT_EQ(measured_by(unmeasured, long_vector, Exactness::exact), "");
  JobFacts one_host = tuned;
  one_host.host_count = 1;
  EXPECT_EQ(measured_by(one_host, long_vector, Exactness::exact), "");
  VectorChooser chooser(tuned);
  chooser.prepare(VectorCollective::allreduce);
  EXPECT_EQ(chooser.least_bytes(VectorCollective::allreduce), 1U);
}

TEST(VectorChoice, has_a_least_size_below_which_all_is_left_to_mpi) {
  for (const char* grid : {"torus:8x8", "torus:4x4x4", "ring:16"}) {
    JobFacts job = job_on(grid);
    job.ports = Ports::all;
    for (const VectorCollective collective : chosen_collectives) {
      VectorChooser chooser(job);
      chooser.prepare(collective);
      const auto least = chooser.least_bytes(collective);
      ASSERT_TRUE(least) << grid;
      EXPECT_FALSE(chooser.decide(collective, *least, Exactness::exact).is_mpi());
      for (std::size_t bytes = 1; bytes < *least; bytes *= 2)
        EXPECT_TRUE(chooser.decide(collective, bytes, Exactness::exact).is_mpi());
    }
  }
  VectorChooser bucket(asking_vectors_for(job_on("ring:8"), "bucket"));
  EXPECT_FALSE(bucket.is_prepared(VectorCollective::allreduce));
  bucket.prepare(VectorCollective::allreduce);
  EXPECT_EQ(bucket.least_bytes(VectorCollective::allreduce), 0U);
}

TEST(VectorChoice, takes_whole_vectors_only_where_the_order_or_the_operands_do_not_matter) {
  for (const auto algorithm :
       {VectorAlgorithm::bucket, VectorAlgorithm::halving_cube, VectorAlgorithm::halving_swing}) {
    for (const auto exactness : {Exactness::exact, Exactness::rounded, Exactness::unknown})
      EXPECT_TRUE(is_right_for(algorithm, exactness));
  }
  EXPECT_TRUE(is_right_for(VectorAlgorithm::whole_swing, Exactness::exact));
  EXPECT_FALSE(is_right_for(VectorAlgorithm::whole_swing, Exactness::rounded));
  EXPECT_TRUE(is_right_for(VectorAlgorithm::whole_cube, Exactness::rounded));
  EXPECT_FALSE(is_right_for(VectorAlgorithm::whole_cube, Exactness::unknown));
  const JobFacts whole = asking_vectors_for(job_on("torus:8x8"), "whole-cube");
  EXPECT_EQ(chosen_for(whole, VectorCollective::allreduce, 8, Exactness::unknown), "mpi");
}

TEST(VectorChoice, takes_methods_that_keep_the_order_for_operations_that_do_not_commute) {
  for (const auto algorithm : {VectorAlgorithm::halving_ordered, VectorAlgorithm::whole_ordered}) {
    for (const auto exactness :
         {Exactness::exact, Exactness::rounded, Exactness::unknown, Exactness::ordered})
      EXPECT_TRUE(is_right_for(algorithm, exactness));
  }
  for (const auto algorithm : {VectorAlgorithm::bucket, VectorAlgorithm::halving_cube,
                               VectorAlgorithm::whole_cube, VectorAlgorithm::whole_swing})
    EXPECT_FALSE(is_right_for(algorithm, Exactness::ordered));
  const JobFacts job = job_on("torus:8x8");
  EXPECT_EQ(chosen_for(job, VectorCollective::allreduce, 8, Exactness::ordered), "mpi");
  for (const auto collective : {VectorCollective::allreduce, VectorCollective::reduce_scatter})
    EXPECT_EQ(chosen_for(job, collective, 1 << 20, Exactness::ordered), "halving-ordered");
  const JobFacts bucket = asking_vectors_for(job, "bucket");
  EXPECT_EQ(chosen_for(bucket, VectorCollective::allreduce, 1 << 20, Exactness::ordered), "halving-ordered");
  const JobFacts whole = asking_vectors_for(job, "whole-ordered");
  for (const auto exactness : {Exactness::exact, Exactness::unknown, Exactness::ordered})
    EXPECT_EQ(chosen_for(whole, VectorCollective::allreduce, 8, exactness), "whole-ordered");
  EXPECT_EQ(
      decision_for(even_job("torus:4x4", 2), VectorCollective::allreduce, 1 << 20, Exactness::ordered).reason,
      "MPI's own function: the operation does not commute, and ranks share nodes");
}

// With one port a ring in the order of the nodes sends what the bound asks for, in the start-ups of a bucket.
TEST(VectorChoice, counts_the_algorithms_of_mpi_in_the_order_of_ranks) {
  ExchangeModel model{1, 0, {1}, 0, {Ports::one, Tie::balanced}};
  model.copy_seconds_per_byte = 0;
  const NodeSharing ring(placement_on("ring:16"), 1);
  const auto times = vector_times_of_mpi(VectorCollective::allreduce, ring, model);
  ASSERT_EQ(times.size(), 3U);
  EXPECT_NEAR(times[0].startup_seconds, 30, 1e-12);
  EXPECT_NEAR(times[0].seconds_per_byte, 1.875, 1e-12);
  EXPECT_NEAR(times[1].startup_seconds, 8, 1e-12);
  EXPECT_NEAR(times[1].seconds_per_byte, 3.5, 1e-12);
  EXPECT_NEAR(times[2].startup_seconds, 4, 1e-12);
  EXPECT_NEAR(times[2].seconds_per_byte, 11, 1e-12);
  EXPECT_EQ(vector_times_of_mpi(VectorCollective::allgather, ring, model).size(), 4U);
  const auto in_order = vector_times_of_mpi(VectorCollective::reduce_scatter, ring, model, true);
  ASSERT_EQ(in_order.size(), 1U);
  EXPECT_NEAR(in_order[0].seconds_per_byte, 11, 1e-12);
  const auto six =
      vector_times_of_mpi(VectorCollective::allreduce, NodeSharing(placement_on("ring:6"), 1), model);
  ASSERT_EQ(six.size(), 3U);
  EXPECT_NEAR(six[1].startup_seconds, 4, 1e-12);
  EXPECT_NEAR(six[2].startup_seconds, 6, 1e-12);
  EXPECT_NEAR(six[2].seconds_per_byte, 2.5, 1e-12);
}

// On a ring of six, steps to the ranks 1, 2 and 4 below put 1, 2 and 2 messages on a link, of 1/6, 2/6 and 2/6.
TEST(VectorChoice, counts_bruck_and_neighbours_for_any_number_of_ranks) {
  ExchangeModel model{1, 0, {1}, 0, {Ports::one, Tie::balanced}};
  model.copy_seconds_per_byte = 0;
  for (const VectorCollective collective : {VectorCollective::allgather, VectorCollective::reduce_scatter}) {
    const auto six = vector_times_of_mpi(collective, NodeSharing(placement_on("ring:6"), 1), model);
    ASSERT_EQ(six.size(), 3U);
    EXPECT_NEAR(six[1].startup_seconds, 3, 1e-12);
    EXPECT_NEAR(six[1].seconds_per_byte, 1.5, 1e-12);
    EXPECT_NEAR(six[2].startup_seconds, 3, 1e-12);
    EXPECT_NEAR(six[2].seconds_per_byte, 5.0 / 6, 1e-12);
  }
  const JobFacts job = job_on("torus:6x5");
  EXPECT_EQ(chosen_for(job, VectorCollective::allgather, 1024, Exactness::exact), "mpi");
}

TEST(RequestedVectorMethod, is_mpi_a_method_or_nothing) {
  EXPECT_EQ(parse_requested_vector_method(""), RequestedVectorMethod());
  EXPECT_TRUE(parse_requested_vector_method("mpi").is_mpi);
  EXPECT_TRUE(parse_requested_vector_method("tune").is_tuned);
  EXPECT_EQ(to_string(*parse_requested_vector_method("bucket:4").method), "bucket:4");
  EXPECT_EQ(message_of([] { parse_requested_vector_method("ring"); }),
            "CUBEFOLD_ALLREDUCE: 'ring' is not bucket, direct, halving-cube, halving-swing, whole-cube, "
            "whole-swing, "
            "halving-ordered or whole-ordered, and after a colon 1 to 64 channels; or 'mpi' or 'tune'");
}

}  // namespace
}  // namespace cubefold
