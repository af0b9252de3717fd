#include "schedule/pipelining.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "schedule/task_schedule.hpp"
#include "support/cyclic_mesh.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

// [Calmant] figure 2b shows three dimensions and four packets.
TEST(PipelineTasks, of_three_dimensions_and_four_packets_are_those_of_the_figure) {
  EXPECT_EQ(pipeline_tasks(3, 4),
            (std::vector<RepeatedTask>{{{0, 1}, 1}, {{0, 2}, 1}, {{0, 3}, 2}, {{1, 2}, 1}, {{2, 1}, 1}}));
}

TEST(PipelineTasks, of_few_packets_have_a_kernel_that_moves_over_the_dimensions) {
  EXPECT_EQ(pipeline_tasks(4, 2),
            (std::vector<RepeatedTask>{{{0, 1}, 1}, {{0, 2}, 1}, {{1, 2}, 1}, {{2, 2}, 1}, {{3, 1}, 1}}));
  EXPECT_EQ(pipeline_tasks(2, 1), (std::vector<RepeatedTask>{{{0, 1}, 1}, {{1, 1}, 1}}));
}

// Prologue, kernel and epilogue have d + Q - 1 iterations together. Source: [Calmant] 2.4.
TEST(PipelineTasks, are_for_each_iteration_the_dimensions_whose_stages_have_a_packet_then) {
  for (int d = 0; d <= 9; ++d) {
    for (int packets = 1; packets <= 20; ++packets) {
      int iteration = 0;
      for (const auto& [task, times] : pipeline_tasks(d, static_cast<std::uint64_t>(packets))) {
        for (std::uint64_t i = 0; i < times; ++i, ++iteration) {
          const int first = std::max(0, iteration - packets + 1);
          EXPECT_EQ(task, (Task{first, std::min(d - 1, iteration) - first + 1}));
        }
      }
      EXPECT_EQ(iteration, d == 0 ? 0 : d + packets - 1);
    }
  }
}

TEST(PipelineTasks, refuse_negative_dimensions_and_no_packets) {
  EXPECT_EQ(message_of([] { pipeline_tasks(-1, 2); }), "pipeline_tasks: dimension count -1 is negative");
  EXPECT_EQ(message_of([] { pipeline_tasks(3, 0); }), "pipeline_tasks: packet count 0 is not positive");
}

/// Returns 18 times the steps of a pipeline on a line, as printed in [Calmant] A.3.
std::int64_t printed_line_steps_times_18(int d, int packets) {
  const auto q = std::int64_t{packets};
  const auto both = (3 * q + 1) * (std::int64_t{1} << (d + 2));
  if (packets >= d) return both + (d % 2 == 0 ? 3 * d - 12 * q - 4 : -3 * d - 6 * q - 5);
  const auto rest = std::int64_t{1} << (d - packets + 2);
  return both + (packets % 2 == 0 ? -rest - 9 * q : rest - 9 * q - 9);
}

// The closed forms of [Calmant] A.3 for lines are exact.
TEST(TaskStepCounts, of_a_pipeline_on_a_line_are_the_printed_closed_forms) {
  for (int d = 1; d <= 12; ++d) {
    const auto counts = TaskStepCounts::bounds_on_mesh(d, 1);
    for (int packets = 1; packets <= 30; ++packets) {
      EXPECT_EQ(18 * static_cast<std::int64_t>(counts.of_pipeline(static_cast<std::uint64_t>(packets))),
                printed_line_steps_times_18(d, packets))
          << d << ' ' << packets;
    }
  }
}

/// Returns 18 times the steps of a pipeline of q >= d packets on a mesh, as printed in [Calmant] A.3. Each of the c
/// axes has d/c bits.
std::int64_t printed_deep_mesh_steps_times_18(int d, int axes, std::int64_t q) {
  const auto c = std::int64_t{axes};
  const auto both = (3 * q + 4 * c - 3) * (std::int64_t{1} << (d / axes + 2));
  return both + (d / axes % 2 == 0 ? 3 * d - 12 * q - 16 * c + 12 : -3 * d - 6 * q - 11 * c + 6);
}

// The closed forms of [Calmant] A.3 for meshes leave out that a node with one port sends its messages one by one. They
// are right with all ports.
TEST(TaskStepCounts, of_a_pipeline_on_a_mesh_are_the_printed_closed_forms_with_all_ports_only) {
  double most = 0;
  for (const auto& [d, axes] : {std::pair{4, 2}, {6, 2}, {8, 2}, {6, 3}, {9, 3}, {12, 3}}) {
    const TaskStepCounts all_ports(cyclic_mesh(d, axes), Ports::all, Tie::positive);
    const auto one_port = TaskStepCounts::bounds_on_mesh(d, axes);
    for (std::uint64_t q = static_cast<std::uint64_t>(d); q <= 100; ++q) {
      const auto printed = printed_deep_mesh_steps_times_18(d, axes, static_cast<std::int64_t>(q));
      EXPECT_EQ(18 * static_cast<std::int64_t>(all_ports.of_pipeline(q)), printed)
          << d << ' ' << axes << ' ' << q;
      most =
          std::max(most, 18.0 * static_cast<double>(one_port.of_pipeline(q)) / static_cast<double>(printed));
    }
  }
  EXPECT_NEAR(most, 2.9034, 1e-4);  // on 4x4x4 nodes with 100 packets
}

TEST(TaskStepCounts, of_placements_are_those_of_their_schedules) {
  const Placement placement(parse_grid("torus:8x4"), parse_placement("standard,bits=cyclic"));
  const TaskStepCounts counts(placement, Ports::one, Tie::positive);
  for (int first = 0; first < 5; ++first) {
    EXPECT_EQ(counts.of({first, 0}), 0);
    for (int count = 1; first + count <= 5; ++count) {
      const Task task{first, count};
      EXPECT_EQ(counts.of(task), TaskSchedule(placement, task, Ports::one, Tie::positive).step_count());
    }
  }
}

// Without pipelining, the time is that of c (2^(d/c) - 1) messages one after the other. Source: [Calmant] 2.3.
TEST(PipelineSeconds, of_one_packet_are_those_of_the_distances) {
  const auto counts = TaskStepCounts::bounds_on_mesh(6, 2);
  EXPECT_DOUBLE_EQ(pipeline_seconds(counts, {32, 100}, {1.0, 0.001, 0.25}, 1), 14 * (1.0 + 3.2) + 6 * 0.25);
}

TEST(PipelineSeconds, count_the_largest_packet) {
  const auto counts = TaskStepCounts::bounds_on_mesh(1, 1);
  EXPECT_DOUBLE_EQ(pipeline_seconds(counts, {7, 10}, {0.0, 1.0, 0.0}, 2), 2 * 40.0);
}

TEST(BestPacketCount, is_the_least_of_all_of_them) {
  for (const int axes : {1, 2, 3}) {
    for (int d = 0; d <= 8; ++d) {
      const auto counts = TaskStepCounts::bounds_on_mesh(d, axes);
      for (const std::uint64_t units : {0U, 1U, 2U, 5U, 7U, 64U, 100U, 1000U}) {
        for (const double alpha : {0.0, 1.0, 50.0, 1000.0}) {
          const PipelineCosts costs{alpha, 0.25, alpha / 7};
          const PipelinedMessage message{units, 8};
          PacketChoice least{1, pipeline_seconds(counts, message, costs, 1)};
          for (std::uint64_t q = 2; q <= units; ++q) {
            const double seconds = pipeline_seconds(counts, message, costs, q);
            if (seconds < least.seconds) least = {q, seconds};
          }
          const auto best = best_packet_count(counts, message, costs);
          EXPECT_EQ(best.packet_count, least.packet_count)
              << axes << ' ' << d << ' ' << units << ' ' << alpha;
          EXPECT_DOUBLE_EQ(best.seconds, least.seconds);
        }
      }
    }
  }
}

TEST(BestPacketCount, is_one_where_start_ups_are_all_and_every_unit_where_they_are_nothing) {
  const auto counts = TaskStepCounts::bounds_on_mesh(6, 2);
  EXPECT_EQ(best_packet_count(counts, {4096, 1}, {1.0, 0.0, 0.0}).packet_count, 1);
  EXPECT_EQ(best_packet_count(counts, {4096, 1}, {0.0, 1.0, 0.0}).packet_count, 4096);
}

TEST(BestPacketCount, of_2_to_the_40_bytes_is_no_worse_than_others_near_and_far) {
  const auto counts = TaskStepCounts::bounds_on_mesh(12, 2);
  const PipelinedMessage message{std::uint64_t{1} << 40, 1};
  const PipelineCosts costs{1e-6, 1e-9, 0};
  const auto best = best_packet_count(counts, message, costs);
  for (const auto other : {best.packet_count - 1, best.packet_count + 1, best.packet_count / 2,
                           best.packet_count * 2, std::uint64_t{1}, message.unit_count}) {
    EXPECT_LT(best.seconds, pipeline_seconds(counts, message, costs, other)) << other;
  }
}

TEST(TaskStepCounts, refuse_what_no_mesh_has) {
  EXPECT_EQ(message_of([] { TaskStepCounts::bounds_on_mesh(63, 2); }),
            "bounds_on_mesh: dimension count 63 is not in 0 .. 62");
  EXPECT_EQ(message_of([] { TaskStepCounts::bounds_on_mesh(0, 0); }),
            "bounds_on_mesh: axis count 0 is not positive");
  EXPECT_EQ(message_of([] {
              pipeline_seconds(TaskStepCounts::bounds_on_mesh(3, 1), {1, 1}, {}, 0);
            }),
            "pipeline_seconds: packet count 0 is not positive");
}

}  // namespace
}  // namespace cubefold
