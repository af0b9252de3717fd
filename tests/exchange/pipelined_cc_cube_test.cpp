#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <utility>

#include "cubefold/exchange/method.hpp"
#include "schedule/conflict.hpp"
#include "schedule/delivery.hpp"
#include "schedule/pipelining.hpp"
#include "support/cc_cube_schedule.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

Schedule pipelined_cc_cube_exchange(const Placement& placement, std::size_t packet_count, Ports ports,
                                    Tie tie) {
  const auto packets = static_cast<std::uint32_t>(packet_count);
  return exchange_schedule({ExchangeAlgorithm::cc_cube, {packets}}, placement, {ports, tie});
}

struct Shape {
  const char* grid;
  const char* rule;
};

/// Prints the shape for GoogleTest, so that ctest lists each test with its shape.
void PrintTo(const Shape& shape, std::ostream* out) {
  *out << shape.grid << ' ' << shape.rule;
}

class PipelinedCcCube : public testing::TestWithParam<Shape> {
 protected:
  Placement placement() const { return {parse_grid(GetParam().grid), parse_placement(GetParam().rule)}; }

  /// Returns the numbers of packets to test: all up to 2 d + 1, then every eleventh, and the largest one, 2^(d-1).
  static std::vector<std::size_t> packet_counts(int d) {
    const auto most = std::size_t{1} << std::max(d - 1, 0);
    std::vector<std::size_t> counts;
    for (std::size_t q = 1; q < most; q += q < 2 * static_cast<std::size_t>(d) + 1 ? 1 : 11)
      counts.push_back(q);
    counts.push_back(most);
    return counts;
  }
};

TEST_P(PipelinedCcCube, delivers_every_block_without_conflicts_in_the_steps_of_its_tasks) {
  const auto on = placement();
  for (const Ports ports : {Ports::one, Ports::all}) {
    const TaskStepCounts counts(on, ports, Tie::balanced);
    for (const auto packets : packet_counts(counts.dimension_count())) {
      const auto schedule = pipelined_cc_cube_exchange(on, packets, ports, Tie::balanced);
      EXPECT_EQ(first_delivery_fault(schedule), std::nullopt) << packets;
      EXPECT_EQ(first_conflict(on, schedule, ports, Tie::balanced), std::nullopt) << packets;
      EXPECT_EQ(schedule.steps.size(), counts.of_pipeline(packets)) << packets;
    }
  }
}

constexpr Shape shapes[] = {
    {"line:1", "standard"},
    {"line:2", "standard"},
    {"line:16", "standard"},
    {"ring:16", "xor"},
    {"ring:32", "standard"},
    {"mesh:4x4", "standard,bits=cyclic"},
    {"mesh:8x4", "standard,bits=cyclic"},
    {"mesh:4x4x4", "standard,bits=cyclic"},
    {"torus:8x8", "xor"},
    {"torus:8x4", "xor,bits=cyclic"},
    {"hypercube:5", "standard"},
    {"mesh:4x4", "by-weight"},
};

INSTANTIATE_TEST_SUITE_P(Shapes, PipelinedCcCube, testing::ValuesIn(shapes));

/// Returns the schedule with the packets of each stage in the opposite order.
Schedule with_ascending_positions(Schedule schedule) {
  std::map<std::pair<Rank, Rank>, std::vector<Message*>> packets;
  for (Step& step : schedule.steps) {
    for (Message& message : step) packets[{message.from, message.to}].push_back(&message);
  }
  for (auto& [ends, messages] : packets) {
    for (std::size_t i = 0; i < messages.size() / 2; ++i) {
      std::swap(messages[i]->blocks, messages[messages.size() - 1 - i]->blocks);
    }
  }
  return schedule;
}

// The exchange can be pipelined because blocks are sent by descending position ([Calmant] 5.1).
TEST(PipelinedCcCubeExchange, sends_blocks_before_they_arrive_in_ascending_order) {
  const Placement line(parse_grid("line:32"), parse_placement("standard"));
  const auto ascending =
      with_ascending_positions(pipelined_cc_cube_exchange(line, 16, Ports::one, Tie::positive));
  const auto fault = first_delivery_fault(ascending);
  ASSERT_NE(fault, std::nullopt);
  EXPECT_EQ(fault->kind, DeliveryFault::Kind::block_not_held);
}

// In [Calmant] 5.1 and figure 8, node 0 sends the blocks 07, 05, 03 and 01 in stage 0.
TEST(PipelinedCcCubeExchange, with_one_packet_sends_the_messages_of_the_cc_cube_exchange) {
  const Placement mesh(parse_grid("mesh:4x4"), parse_placement("standard,bits=cyclic"));
  const auto pipelined = pipelined_cc_cube_exchange(mesh, 1, Ports::one, Tie::positive);
  const auto stages = cc_cube_exchange(4);
  std::size_t step = 0;
  for (int stage = 0; stage < 4; ++stage) {
    Step together;
    for (int i = 0; i < 1 << (stage / 2); ++i, ++step) {
      together.insert(together.end(), pipelined.steps.at(step).begin(), pipelined.steps.at(step).end());
    }
    std::sort(together.begin(), together.end(),
              [](const Message& a, const Message& b) { return a.from < b.from; });
    EXPECT_EQ(together, stages.steps[static_cast<std::size_t>(stage)]) << stage;
  }
  EXPECT_EQ(step, pipelined.steps.size());
}

TEST(PipelinedCcCubeExchange, cuts_what_a_stage_sends_into_packets_that_differ_by_one_block_at_most) {
  const Placement line(parse_grid("line:16"), parse_placement("standard"));
  const auto schedule = pipelined_cc_cube_exchange(line, 3, Ports::one, Tie::positive);
  for (const Step& step : schedule.steps) {
    for (const Message& message : step) {
      EXPECT_GE(message.blocks.size(), 2);
      EXPECT_LE(message.blocks.size(), 3);
    }
  }
}

TEST(PipelinedCcCubeExchange, refuses_packets_without_blocks) {
  const Placement line(parse_grid("line:8"), parse_placement("standard"));
  EXPECT_EQ(message_of([&] { pipelined_cc_cube_exchange(line, 0, Ports::one, Tie::positive); }),
            "pipelined_cc_cube_exchange: 0 packets are not in 1 .. 4, the blocks of a stage");
  EXPECT_EQ(message_of([&] { pipelined_cc_cube_exchange(line, 5, Ports::one, Tie::positive); }),
            "pipelined_cc_cube_exchange: 5 packets are not in 1 .. 4, the blocks of a stage");
}

}  // namespace
}  // namespace cubefold
