#include "transform/binary_exchange_cost.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <string>

#include "cubefold/lcc/contention.hpp"
#include "cubefold/lcc/pattern.hpp"
#include "cubefold/plan/mapping.hpp"
#include "cubefold/topology/grid.hpp"
#include "support/message_of.hpp"

namespace cubefold::fft {
namespace {

using enum Exchanged;
using enum RankLabels;

constexpr std::size_t bytes_of_point = 16;

ExchangeModel model(double alpha, double gap, double tau) {
  return {alpha, gap, {tau}, 0, {}};
}

Placement on(const std::string& grid, const std::string& rule) {
  return place(parse_grid(grid), rule);
}

TEST(BinaryExchangeCost,
     has_the_volumes_of_the_specification) {  // d m, or d m/2 for halves, for m points per rank
  for (const std::size_t p : {1U, 2U, 4U, 8U, 16U, 64U, 256U}) {
    const auto d = static_cast<std::size_t>(std::countr_zero(p));
    const std::size_t m = 64 * p;
    const std::size_t reversal = d > 1 ? 1 : 0;
    for (const std::size_t packets : {1U, 4U}) {
      const auto of_whole = traffic_of(BinaryExchange({p, 1, m, whole, output_reversed}), packets);
      EXPECT_EQ(of_whole.sent_points, d * m);
      EXPECT_EQ(of_whole.startups, d * packets);
      const auto of_paper = traffic_of(BinaryExchange({p, 8, m / 8}), packets);
      EXPECT_EQ(of_paper.sent_points, (d + reversal) * m);
      EXPECT_EQ(of_paper.startups, d * packets + reversal);
      const auto of_half = traffic_of(BinaryExchange({p, m, 1, half}), packets);
      EXPECT_EQ(of_half.sent_points, d * m / 2);
      EXPECT_EQ(of_half.startups, d * packets);
    }
  }
}

TEST(BinaryExchangeCost, is_below_three_transposes_up_to_4_ranks_and_with_halves_up_to_32) {
  for (const std::size_t p : {2U, 4U, 8U, 16U, 32U, 64U, 128U}) {
    const std::size_t m = 256 * p;
    const std::size_t transposes = 3 * (m / p) * (p - 1);
    EXPECT_EQ(traffic_of(BinaryExchange({p, 1, m, whole, output_reversed}), 1).sent_points < transposes,
              p <= 4);
    EXPECT_EQ(traffic_of(BinaryExchange({p, m, 1, half}), 1).sent_points < transposes, p <= 32);
  }
  const double at_64 = static_cast<double>(traffic_of(BinaryExchange({64, 4096, 1, half}), 1).sent_points) /
                       (3.0 * 4096 / 64 * 63);
  EXPECT_NEAR(at_64, 1, 0.02);
}

TEST(BinaryExchangeCost, of_a_hypercube_is_a_message_a_stage) {
  const auto cost = cost_of(BinaryExchange({16, 1, 1024, whole, output_reversed}),
                            on("hypercube:4", "standard"), bytes_of_point, 1, model(1e-3, 1e-4, 1e-8));
  EXPECT_DOUBLE_EQ(cost.seconds, 4 * (1e-3 + 1024 * 16 * 1e-8));
}

TEST(BinaryExchangeCost, of_halves_is_that_of_the_complete_exchange_that_they_are) {  // [Calmant] section 5.1
  const auto network = model(1e-4, 3e-5, 1e-7);
  for (const char* grid : {"hypercube:4", "torus:4x4", "mesh:4x4", "ring:16"}) {
    const Placement placement = on(grid, "standard,bits=cyclic");
    const BinaryExchange exchange({16, 512, 1, half});
    const std::size_t block_bytes = 512 * bytes_of_point / 16;
    for (const std::uint32_t packets : {1U, 2U, 4U, 8U}) {
      const ExchangeMethod method = packets == 1 ? ExchangeMethod{ExchangeAlgorithm::cc_cube, {}}
                                                 : ExchangeMethod{ExchangeAlgorithm::cc_cube, {packets}};
      const auto plan = plan_exchange(placement, block_bytes, network, {.methods = {method}});
      EXPECT_NEAR(cost_of(exchange, placement, bytes_of_point, packets, network).seconds,
                  plan.choice().seconds, 1e-12)
          << grid << " " << packets;
    }
  }
}

TEST(BinaryExchangeCost, has_no_better_packet_count_than_the_best) {
  for (const char* grid : {"hypercube:4", "torus:4x4", "line:16"}) {
    const Placement placement = on(grid, "standard,bits=cyclic");
    for (const auto& network : {model(1e-4, 1e-4, 1e-7), model(1e-3, 1e-6, 1e-9), model(1e-6, 1e-6, 1e-6)}) {
      for (const auto& exchange :
           {BinaryExchange({16, 64, 4}), BinaryExchange({16, 64, 1, half}), BinaryExchange({16, 1, 1})}) {
        const auto seconds = [&](std::size_t packets) {
          return cost_of(exchange, placement, bytes_of_point, packets, network).seconds;
        };
        const std::size_t best = best_packet_count(exchange, placement, bytes_of_point, network);
        for (std::size_t packets = 1; packets <= exchange.column_count(); ++packets)
          EXPECT_GE(seconds(packets), seconds(best) * (1 - 1e-12)) << grid << " " << packets;
      }
    }
  }
}

TEST(BinaryExchangeCost, cuts_stages_that_no_message_could_carry) {
  const BinaryExchange exchange({2, std::size_t{1} << 28, 1, whole, output_reversed});
  EXPECT_EQ(least_packet_count(exchange, 16), 3U);  // 2^32 bytes in messages below 2^31 bytes
  EXPECT_EQ(least_packet_count(exchange, 8), 2U);
  EXPECT_EQ(least_packet_count(BinaryExchange({2, 4, 4}), 16), 1U);
  EXPECT_GE(best_packet_count(exchange, on("ring:2", "identity"), 16, model(1, 1, 0)), 3U);
}

// The bit reversal on 256 ranks has contention 8. The optimal order of bits removes it and keeps neighbours of the
// hypercube adjacent. Source: [Lcc] section 6.2, tables 1 and 2.
TEST(BinaryExchangeCost, has_the_bit_reversal_of_256_ranks_8_times_shorter_in_the_order_of_its_pattern) {
  const std::vector<int> order = optimal_order(parse_pattern("bit-reversal", 8));
  std::string rule = "standard,order=";
  for (const int bit : order) rule += std::to_string(bit) + "-";
  rule.pop_back();
  const auto network = model(0, 0, 1e-6);
  const auto seconds = [&](const std::string& placement, RankLabels labels) {
    return cost_of(BinaryExchange({256, 4, 4, whole, labels}), on("hypercube:8", placement), bytes_of_point,
                   1, network)
        .seconds;
  };
  const double message = 16 * bytes_of_point * 1e-6;
  EXPECT_NEAR(seconds("standard", natural), (8 + 8) * message, 1e-12);
  EXPECT_NEAR(seconds(rule, natural), (8 + 1) * message, 1e-12);
  EXPECT_NEAR(seconds("standard", input_reversed), 8 * message, 1e-12);
}

TEST(BinaryExchangeCost, refuses_placements_of_other_ranks_and_no_packets) {
  const BinaryExchange exchange({4, 4, 4});
  EXPECT_EQ(message_of([&] { cost_of(exchange, on("ring:8", "xor"), bytes_of_point, 1, model(1, 1, 1)); }),
            "BinaryExchange of 4 ranks on a placement of 8");
  EXPECT_EQ(
      message_of([&] { best_packet_count(exchange, on("ring:2", "xor"), bytes_of_point, model(1, 1, 1)); }),
      "BinaryExchange of 4 ranks on a placement of 2");
  EXPECT_EQ(message_of([&] { cost_of(exchange, on("ring:4", "xor"), bytes_of_point, 0, model(1, 1, 1)); }),
            "cost_of: a stage of 0 packets");
}

}  // namespace
}  // namespace cubefold::fft
