// Compares messages of single blocks with messages that are packed, packet by packet on a lossless network.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

#include "cubefold/exchange/method.hpp"
#include "cubefold/simulation/machine.hpp"
#include "plan/alltoall_setup.hpp"
#include "simulation/packet_program.hpp"
#include "simulation/packets.hpp"

namespace cubefold {
namespace {

/// An exchange on a network of 100 Gbit/s whose processors take 0.3 us for each message and copy 20 GB/s.
struct LosslessExchange {
  Placement placement;
  Schedule schedule;
  PacketNetwork network;

  double seconds(const PacketProgram& program) const {
    return simulate_packets(placement.grid(), network, {}, program).total_seconds;
  }

  double packed_seconds(std::size_t block_bytes) const {
    return seconds(program_by_data(placement, schedule, block_bytes,
                                   {.copy_seconds_per_byte = typical_copy_seconds_per_byte}));
  }

  double single_seconds(std::size_t block_bytes) const {
    return seconds(program_by_data(placement, schedule, block_bytes, {.in_single_blocks = true}));
  }
};

TEST(SingleBlocks, pay_from_about_the_size_from_which_on_they_are_sent) {
  const std::size_t least = least_single_block_bytes(0);
  for (const char* grid : {"torus:8x8", "torus:4x4x4"}) {
    for (const Ports ports : {Ports::one, Ports::all}) {
      LosslessExchange exchange{Placement(parse_grid(grid), parse_placement("identity")), {}, {}};
      exchange.network.ports = ports;
      exchange.schedule = exchange_schedule({ExchangeAlgorithm::axis_rotated, {}}, exchange.placement,
                                            {ports, exchange.network.tie});
      EXPECT_GT(exchange.single_seconds(least / 2), 1.2 * exchange.packed_seconds(least / 2)) << grid;
      EXPECT_LT(exchange.single_seconds(least), 1.1 * exchange.packed_seconds(least)) << grid;
      EXPECT_LT(exchange.single_seconds(2 * least), exchange.packed_seconds(2 * least)) << grid;
    }
  }
}

}  // namespace
}  // namespace cubefold
