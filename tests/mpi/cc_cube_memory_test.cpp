// One allocation fails on one process during a CC-cube algorithm. All processes learn of the failure, and none waits
// forever.

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "cubefold/mpi/cc_cube_algorithm.hpp"
#include "support/exchange_world.hpp"
#include "support/failing_on_one.hpp"

namespace cubefold::mpi {
namespace {

/// Tests algorithms in which neighbours swap 3000 numbers in every dimension. The parameter says whether the sizes of
/// packets are fixed; if not, they are announced.
class CcCubeLackOfMemory : public testing::TestWithParam<bool>, protected ExchangeWorld {
 protected:
  CcCubeLackOfMemory() : ExchangeWorld(ring_of_world(), "identity") {}

  void SetUp() override {
    if (!world_is_a_cube()) GTEST_SKIP() << "a hypercube needs a power of two";
    for (int bit = 1; bit < size; bit *= 2) dimensions.push_back(static_cast<int>(dimensions.size()));
  }

  static constexpr std::size_t bytes = 3000 * sizeof(int);
  std::vector<int> dimensions;
};

TEST_P(CcCubeLackOfMemory, of_one_process_is_thrown_by_all) {
  CcCubeOptions options{.packet_count = 2};
  if (GetParam()) options.packet_bytes = [](const StagePacket&) { return bytes; };
  bool sums_are_right = true;
  StageCallBacks calls;
  if (!GetParam()) calls.bytes = [](const StagePacket&) { return bytes; };
  calls.produce = [&](const StagePacket&, std::span<std::byte> packet) {
    std::fill(packet.begin(), packet.end(), static_cast<std::byte>(rank));
  };
  calls.consume = [&](const StagePacket& packet, std::span<const std::byte> arrived) {
    const auto wanted = static_cast<std::byte>(rank ^ (1 << packet.dimension));
    sums_are_right =
        sums_are_right && arrived.size() == bytes && arrived.front() == wanted && arrived.back() == wanted;
  };
  expect_ends_whatever_fails([&](int odd, std::uint64_t number) {
    CcCubeAlgorithm algorithm(comm, dimensions, options);
    const Outcome outcome = outcome_of([&] { algorithm.run(calls); }, odd, number);
    EXPECT_TRUE(sums_are_right);
    EXPECT_EQ(outcome.text.empty(), !outcome.has_failed || size == 1);
    EXPECT_EQ(text_of([&] { algorithm.run(calls); }), "") << "the next run suffers";
    return outcome;
  });
}

// There is no memory for the text of a failure, which then is that of a lack of memory.
TEST_P(CcCubeLackOfMemory, for_the_text_of_a_call_back_leaves_nobody_waiting) {
  if (size == 1) GTEST_SKIP() << "one process has no neighbours";
  CcCubeOptions options{.packet_count = 2};
  StageCallBacks calls;
  if (GetParam()) {
    options.packet_bytes = [](const StagePacket&) { return bytes; };
  } else {
    calls.bytes = [](const StagePacket&) { return bytes; };
  }
  const std::string long_text(2000, 'x');
  calls.consume = [](const StagePacket&, std::span<const std::byte>) {};
  sweep_allocations([&](int odd, std::uint64_t number) {
    calls.produce = [&](const StagePacket&, std::span<std::byte>) {
      if (world_rank() == odd) throw std::runtime_error(long_text);
    };
    CcCubeAlgorithm algorithm(comm, dimensions, options);
    const Outcome outcome = outcome_of([&] { algorithm.run(calls); }, odd, number);
    expect_out_of_memory_or("xxx", outcome);
    return outcome;
  });
}

TEST_P(CcCubeLackOfMemory, of_one_process_is_thrown_by_all_where_it_is_made) {
  CcCubeOptions options{.packet_count = 2};
  if (GetParam()) options.packet_bytes = [](const StagePacket&) { return bytes; };
  expect_ends_whatever_fails([&](int odd, std::uint64_t number) {
    std::vector<int> given = dimensions;
    CcCubeOptions given_options = options;
    const auto make = [&] {
      const CcCubeAlgorithm algorithm(comm, std::move(given), std::move(given_options));
    };
    const Outcome outcome = outcome_of(make, odd, number);
    EXPECT_EQ(outcome.text.empty(), !outcome.has_failed);
    return outcome;
  });
}

INSTANTIATE_TEST_SUITE_P(FixedPayload, CcCubeLackOfMemory, testing::Bool());

}  // namespace
}  // namespace cubefold::mpi
