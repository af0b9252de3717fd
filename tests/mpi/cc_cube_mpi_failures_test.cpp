// A call of MPI fails on one process during a CC-cube algorithm. All processes throw this failure.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "cubefold/mpi/cc_cube_algorithm.hpp"
#include "mpi/agreement.hpp"
#include "support/exchange_world.hpp"
#include "support/failing_mpi_on_one.hpp"

namespace cubefold::mpi {
namespace {

struct Payload {
  bool is_fixed;
  std::size_t bytes;
};

class CcCubeMpiFailures : public testing::TestWithParam<Payload>, protected ExchangeWorld {
 protected:
  CcCubeMpiFailures() : ExchangeWorld(ring_of_world(), "identity") {}

  void SetUp() override {
    if (size == 1 || !world_is_a_cube()) GTEST_SKIP() << "a hypercube needs a power of two, and neighbours";
    for (int bit = 1; bit < size; bit *= 2) dimensions.push_back(static_cast<int>(dimensions.size()));
    const auto bytes = [](const StagePacket&) { return GetParam().bytes; };
    (GetParam().is_fixed ? options.packet_bytes : calls.bytes) = bytes;
    calls.produce = [this](const StagePacket&, std::span<std::byte> packet) {
      std::fill(packet.begin(), packet.end(), static_cast<std::byte>(rank));
    };
    calls.consume = [this](const StagePacket& packet, std::span<const std::byte> arrived) {
      const auto wanted = static_cast<std::byte>(rank ^ (1 << packet.dimension));
      EXPECT_EQ(arrived.size(), GetParam().bytes);
      EXPECT_EQ(std::ranges::count(arrived, wanted), static_cast<std::ptrdiff_t>(arrived.size()));
    };
  }

  /// Expects that all processes have thrown the same failure of the odd one, or none.
  void expect_told(const Outcome& outcome, const char* function) const {
    EXPECT_EQ(outcome.text, text_on(odd, outcome.text));
    if (outcome.text.empty()) return;
    const std::string process = "process " + std::to_string(odd) + " of " + std::to_string(size) + ": ";
    EXPECT_EQ(outcome.text.find(process), 0U) << outcome.text;
    EXPECT_NE(outcome.text.find(function), std::string::npos) << outcome.text;
  }

  const int odd = size - 1;
  std::vector<int> dimensions;
  CcCubeOptions options{.packet_count = 2};
  StageCallBacks calls;
};

TEST_P(CcCubeMpiFailures, of_one_process_are_thrown_by_all_and_by_later_runs) {
  expect_ends_whatever_call_fails([&](const char* function, std::uint64_t number) {
    CcCubeAlgorithm algorithm(comm, dimensions, options);
    const Outcome outcome = outcome_of_mpi([&] { algorithm.run(calls); }, odd, function, number);
    expect_told(outcome, function);
    const std::string later = text_of([&] { algorithm.run(calls); });
    if (outcome.text.empty()) {
      EXPECT_EQ(later, "");
    } else {
      EXPECT_EQ(later.find("no exchange is possible after an earlier failure: "), 0U) << later;
      EXPECT_NE(later.find(function), std::string::npos) << later;
    }
    return outcome;
  });
}

TEST_P(CcCubeMpiFailures, of_one_process_are_thrown_by_all_where_it_is_made) {
  expect_ends_whatever_call_fails([&](const char* function, std::uint64_t number) {
    std::vector<int> given = dimensions;
    CcCubeOptions given_options = options;
    const auto make = [&] {
      const CcCubeAlgorithm algorithm(comm, std::move(given), std::move(given_options));
    };
    const Outcome outcome = outcome_of_mpi(make, odd, function, number);
    expect_told(outcome, function);
    return outcome;
  });
}

INSTANTIATE_TEST_SUITE_P(Payloads, CcCubeMpiFailures,
                         testing::Values(Payload{true, 8}, Payload{true, 100000}, Payload{false, 8},
                                         Payload{false, 100000}),
                         [](const auto& payload) {
                           return (payload.param.is_fixed ? "fixed_" : "varying_") +
                                  std::to_string(payload.param.bytes);
                         });

}  // namespace
}  // namespace cubefold::mpi
