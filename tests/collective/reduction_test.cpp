#include "collective/reduction.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <vector>

#include "cubefold/simulation/steps.hpp"
#include "schedule/delivery.hpp"
#include "schedule/local_program.hpp"
#include "support/message_of.hpp"
#include "support/program_replay.hpp"

namespace cubefold {
namespace {

constexpr std::array all_collectives{VectorCollective::allgather, VectorCollective::reduce_scatter,
                                     VectorCollective::allreduce};

const std::vector<const char*> grids{"ring:1",           "ring:2",       "ring:3",
                                     "line:5",           "ring:7",       "ring:12",
                                     "ring:16",          "mesh:4x4",     "torus:3x5",
                                     "torus:6x5",        "torus:2x2x3",  "torus:8x8",
                                     "torus:5x4x3",      "torus:4x4x4",  "hypercube:5",
                                     "mesh:1x6",         "torus:16x2",   "hyperx:4x4",
                                     "hyperx:3x4",       "hyperx:2x2x3", "torus:4x4,cut=0-1",
                                     "torus:3x5,cut=0-1"};

/// Calls look(placement, collective, method, name) for all methods on all grids.
template <typename Look>
void for_all_methods(Look look) {
  for (const char* grid : grids) {
    for (const char* rule : {"identity", "xor"}) {
      const Grid parsed = parse_grid(grid);
      const bool has_powers = std::ranges::all_of(
          parsed.axes(), [](const Axis& axis) { return std::has_single_bit(axis.extent); });
      if (std::string(rule) == "xor" && (!has_powers || parsed.route_table() != nullptr)) continue;
      const Placement placement(parsed, parse_placement(rule));
      for (const VectorCollective collective : all_collectives) {
        for (const VectorMethod& method : vector_methods(collective, parsed, Ports::all)) {
          SCOPED_TRACE(std::string(grid) + ' ' + rule + ' ' + std::string(to_string(collective)) + ' ' +
                       to_string(method));
          look(placement, collective, method);
        }
      }
    }
  }
}

TEST(VectorMethods, deliver_every_contribution_once) {
  for_all_methods([](const Placement& placement, VectorCollective collective, const VectorMethod& method) {
    const Schedule schedule = vector_parts(collective, method, placement).whole();
    const auto fault =
        first_delivery_fault(schedule, collective_of(collective, method, placement.rank_count()));
    EXPECT_FALSE(fault) << describe(*fault);
  });
}

TEST(VectorMethods, give_all_ranks_the_same_bits_except_by_whole_swing) {
  for_all_methods([](const Placement& placement, VectorCollective collective, const VectorMethod& method) {
    const auto fault = first_unequal_value(vector_parts(collective, method, placement).whole(),
                                           collective_of(collective, method, placement.rank_count()));
    if (method.algorithm == VectorAlgorithm::whole_swing) return;
    EXPECT_FALSE(fault) << describe(*fault);
  });
  const Placement ring(parse_grid("ring:8"), {});
  const VectorMethod whole{VectorAlgorithm::whole_swing, 1};
  const auto fault = first_unequal_value(vector_parts(VectorCollective::allreduce, whole, ring).whole(),
                                         collective_of(VectorCollective::allreduce, whole, 8));
  ASSERT_TRUE(fault);
  EXPECT_EQ(describe(*fault), "step 3: rank 1 has reduced in another order than a rank before it chunk 0");
}

TEST(VectorMethods, keep_the_order_of_the_ranks_where_they_say_so) {
  std::size_t kept = 0;
  for_all_methods([&](const Placement& placement, VectorCollective collective, const VectorMethod& method) {
    const auto fault = first_value_out_of_order(vector_parts(collective, method, placement).whole(),
                                                collective_of(collective, method, placement.rank_count()));
    if (keeps_order(method.algorithm)) {
      EXPECT_FALSE(fault) << describe(*fault);
      ++kept;
    } else if (collective != VectorCollective::allgather && placement.rank_count() > 2) {
      EXPECT_TRUE(fault);
    }
  });
  EXPECT_GT(kept, 0U);
}

TEST(VectorMethods, keep_the_order_of_the_ranks_wherever_they_are) {
  const Grid grid = parse_grid("torus:2x4");
  for (const char* rule : {"nodes=3-1-0-2-6-7-5-4", "nodes=7-0-6-1-5-2-4-3"}) {
    const Placement placement(grid, parse_placement(rule));
    for (const VectorCollective collective : all_collectives) {
      for (const VectorMethod& method : vector_methods(collective, grid, Ports::one)) {
        if (!keeps_order(method.algorithm)) continue;
        const Schedule schedule = vector_parts(collective, method, placement).whole();
        const Collective chunks = collective_of(collective, method, 8);
        EXPECT_FALSE(first_delivery_fault(schedule, chunks));
        EXPECT_FALSE(first_value_out_of_order(schedule, chunks));
      }
    }
  }
}

TEST(VectorMethods, have_parts_that_are_those_of_the_whole) {
  for_all_methods([](const Placement& placement, VectorCollective collective, const VectorMethod& method) {
    const ExchangeParts parts = vector_parts(collective, method, placement);
    const Schedule whole = parts.whole();
    for (const std::uint32_t rank :
         {std::uint32_t{0}, static_cast<std::uint32_t>(placement.rank_count() - 1)})
      EXPECT_EQ(parts.part(Rank{rank}), part_of(whole, Rank{rank}));
  });
}

TEST(VectorMethods, have_programs_that_reduce_and_bring_all_chunks_in_any_order_that_needs_allow) {
  for_all_methods([](const Placement& placement, VectorCollective collective, const VectorMethod& method) {
    if (placement.rank_count() > 9) return;
    const Schedule schedule = vector_parts(collective, method, placement).whole();
    const Collective chunks = collective_of(collective, method, placement.rank_count());
    std::vector<LocalProgram> programs;
    for (std::uint32_t r = 0; r < placement.rank_count(); ++r)
      programs.push_back(
          local_program(part_of(schedule, Rank{r}), Rank{r}, chunks, ScratchSlots::of_one_chunk));
    EXPECT_EQ(first_replay_fault(programs, chunks, keeps_order(method.algorithm)), std::nullopt);
    for (const LocalProgram& program : programs)
      EXPECT_EQ(program.scratch_chunks.size(), program.scratch_slots);
  });
}

TEST(VectorMethods, cost_what_is_counted_in_their_schedules) {
  for_all_methods([](const Placement& placement, VectorCollective collective, const VectorMethod& method) {
    const Schedule schedule = vector_parts(collective, method, placement).whole();
    for (const Ports ports : {Ports::one, Ports::all}) {
      const ExchangeCost cost = vector_cost(collective, method, placement, {ports, Tie::balanced});
      const auto counted = simulate_steps(placement, schedule, 1, {0, {1}, 0, ports, Tie::balanced});
      EXPECT_EQ(cost.step_count(), schedule.steps.size());
      EXPECT_NEAR(cost.block_times(), counted.total_seconds, 1e-9 * counted.total_seconds);
      std::uint64_t startups = 0;
      for (const StepCost& step : counted.steps) startups += step.startup_count;
      EXPECT_EQ(cost.startup_count(), startups);
      double sent = 0;
      for (const Step& step : schedule.steps)
        for (const Message& message : step) sent += static_cast<double>(message.blocks.size());
      EXPECT_NEAR(cost.sent_blocks * static_cast<double>(placement.rank_count()), sent, 1e-6);
    }
  });
}

/// The time of the busiest link or port in an allreduce, over that of sending the vector over one link.
double vectors(const char* grid, Ports ports, const char* method) {
  const Placement placement(parse_grid(grid), {});
  const VectorMethod parsed = parse_vector_method(method);
  const auto allreduce = VectorCollective::allreduce;
  const double chunks =
      static_cast<double>(collective_of(allreduce, parsed, placement.rank_count()).chunk_count());
  return vector_cost(allreduce, parsed, placement, {ports, Tie::balanced}).block_times() / chunks;
}

// The numbers were counted by a replay of messages apart.
TEST(VectorMethods, put_less_on_the_busiest_link_than_one_ring) {
  struct Counted {
    const char* grid;
    Ports ports;
    const char* method;
    double vectors;
  };
  for (const auto& [grid, ports, method, expected] :
       {Counted{"ring:16", Ports::one, "bucket", 1.875},
        Counted{"torus:8x8", Ports::one, "bucket", 1.969},
        Counted{"ring:16", Ports::one, "halving-cube", 3.5},
        Counted{"ring:64", Ports::one, "halving-cube", 5.5},
        Counted{"torus:8x8", Ports::one, "halving-cube", 2.438},
        Counted{"torus:16x16", Ports::one, "halving-cube", 2.719},
        Counted{"ring:16", Ports::one, "halving-swing", 2.375},
        Counted{"ring:64", Ports::one, "halving-swing", 3.094},
        Counted{"torus:8x8", Ports::one, "halving-swing", 2.062},
        Counted{"torus:4x4x4", Ports::one, "halving-swing", 1.969},
        Counted{"torus:8x8x8", Ports::one, "halving-swing", 2.023},
        Counted{"ring:16", Ports::one, "whole-cube", 11},
        Counted{"ring:16", Ports::one, "whole-swing", 7},
        Counted{"torus:8x8", Ports::one, "whole-cube", 10},
        Counted{"torus:8x8", Ports::one, "whole-swing", 8},
        Counted{"ring:16", Ports::all, "bucket:2", 0.938},
        Counted{"torus:8x8", Ports::all, "bucket:4", 0.492},
        Counted{"torus:4x4x4", Ports::all, "bucket:6", 0.328},
        Counted{"ring:16", Ports::all, "halving-swing:2", 1.438},
        Counted{"torus:8x8", Ports::all, "halving-swing:4", 0.539},
        Counted{"torus:4x4x4", Ports::all, "halving-swing:6", 0.328},
        Counted{"torus:8x8x8", Ports::all, "halving-swing:6", 0.342}}) {
    EXPECT_NEAR(vectors(grid, ports, method), expected, 6e-4) << grid << ' ' << method;
  }
}

TEST(VectorMethods, fold_to_the_powers_of_two_and_back) {
  struct Counted {
    const char* grid;
    const char* method;
    std::size_t steps_of_allreduce;
    std::size_t steps_of_allgather;
  };
  for (const auto& [grid, method, allreduce, allgather] :
       {Counted{"ring:12", "halving-cube", 8, 5}, Counted{"torus:6x5", "halving-swing", 12, 8},
        Counted{"torus:5x4x3", "halving-cube", 14, 9}, Counted{"torus:8x8", "halving-cube", 12, 6},
        Counted{"torus:6x5", "halving-ordered", 10, 6}, Counted{"ring:12", "whole-cube", 5, 0},
        Counted{"torus:6x5", "whole-ordered", 6, 0}}) {
    const Placement placement(parse_grid(grid), {});
    const VectorMethod parsed = parse_vector_method(method);
    EXPECT_EQ(vector_parts(VectorCollective::allreduce, parsed, placement).step_count, allreduce) << grid;
    if (allgather == 0) continue;
    EXPECT_EQ(vector_parts(VectorCollective::allgather, parsed, placement).step_count, allgather) << grid;
    EXPECT_EQ(vector_parts(VectorCollective::reduce_scatter, parsed, placement).step_count, allgather)
        << grid;
  }
}

TEST(VectorMethods, have_names) {
  for (const char* name : {"bucket", "bucket:4", "direct:6", "halving-cube", "halving-swing:6",
                           "whole-cube:2", "whole-swing", "halving-ordered", "whole-ordered"})
    EXPECT_EQ(to_string(parse_vector_method(name)), name);
  for (const char* name : {"", "ring", "bucket:", "bucket:0", "bucket:65", "bucket:x"}) {
    EXPECT_EQ(message_of([&] { parse_vector_method(name); }),
              std::string("'") + name +
                  "' is not bucket, direct, halving-cube, halving-swing, whole-cube, whole-swing, "
                  "halving-ordered or "
                  "whole-ordered, and after a colon 1 to 64 channels");
  }
}

TEST(VectorMethods, are_refused_where_they_do_not_fit) {
  const Placement placement(parse_grid("torus:4x6"), {});
  const auto refusal = [&](VectorCollective collective, const char* method) {
    return message_of([&] { vector_parts(collective, parse_vector_method(method), placement); });
  };
  EXPECT_EQ(refusal(VectorCollective::allgather, "whole-cube"), "vector_parts: whole-cube is no allgather");
  EXPECT_EQ(refusal(VectorCollective::allreduce, "halving-ordered:2"),
            "vector_parts: halving-ordered:2 has more than the one channel of an order");
}

}  // namespace
}  // namespace cubefold
