#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <optional>

#include "cubefold/mpi/cc_cube_algorithm.hpp"
#include "mpi/agreement.hpp"
#include "support/cube_orders.hpp"
#include "support/message_of.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {
namespace {

class CcCubeFailures : public testing::Test {
 protected:
  void SetUp() override {
    if (!world_is_a_cube()) GTEST_SKIP() << "a hypercube needs a power of two";
    comm.emplace(MPI_COMM_WORLD, ring_of_world(), "xor");
    d = std::countr_zero(static_cast<unsigned>(world_size()));
    rank = label(comm->rank());
    last = static_cast<std::uint32_t>(world_size()) - 1;
    who = "process " + std::to_string(last) + " of " + std::to_string(world_size()) + ": ";
  }

  std::optional<VirtualComm> comm;
  int d = 0;
  std::uint32_t rank = 0;
  /// The rank that fails.
  std::uint32_t last = 0;
  std::string who;
};

/// Returns the text of the failure that a run throws on all processes.
std::string agreed_text(CcCubeAlgorithm& algorithm, const StageCallBacks& call_backs) {
  try {
    algorithm.run(call_backs);
  } catch (const Agreed& failure) {
    return dynamic_cast<const std::exception&>(failure).what();
  }
  return "nothing thrown";
}

using Bytes = std::function<std::size_t(const StagePacket&)>;

Bytes always(std::size_t bytes) {
  return [bytes](const StagePacket&) { return bytes; };
}

/// Provides the call-backs of one rank. One of them throws at one packet if the trap is armed.
struct Trap {
  std::string call_back;
  std::size_t stage;
  std::size_t index;
  bool armed;
  bool sprung = false;
  int calls_afterwards = 0;

  void pass(const std::string& name, const StagePacket& packet) {
    if (sprung) ++calls_afterwards;
    if (!armed || name != call_back || packet.stage != stage || packet.index != index) return;
    sprung = true;
    throw std::runtime_error("the disk is full");
  }
  /// Returns the value of all bytes of a packet, which differs between runs.
  std::byte stamp(const StagePacket& packet) const {
    return static_cast<std::byte>(1 + (stage + 5 * index + 7 * packet.stage + 31 * packet.index) % 255);
  }
  /// Returns call-backs that expect to consume exactly the bytes that the neighbour has produced.
  StageCallBacks fixed(std::size_t bytes) {
    return {
        .produce =
            [this](const StagePacket& packet, std::span<std::byte> room) {
              pass("produce", packet);
              std::fill(room.begin(), room.end(), stamp(packet));
            },
        .consume =
            [this, bytes](const StagePacket& packet, std::span<const std::byte> arrived) {
              pass("consume", packet);
              EXPECT_EQ(arrived.size(), bytes);
              EXPECT_EQ(std::count(arrived.begin(), arrived.end(), stamp(packet)),
                        static_cast<std::ptrdiff_t>(bytes));
            },
    };
  }
  StageCallBacks varying(std::size_t bytes) {
    StageCallBacks all = fixed(bytes);
    all.bytes = [this, bytes](const StagePacket& packet) {
      pass("bytes", packet);
      return bytes;
    };
    return all;
  }
};

Trap harmless() {
  return {"", 0, 0, false};
}

// These are packet sizes in bytes. MPI sends small packets at once, while the sender of a large packet waits for the
// receiver. A process that has stopped sends empty messages, so empty packets do not tell the neighbour of a failure.
constexpr std::size_t telling_sizes[] = {0, 8, 100000};

TEST_F(CcCubeFailures, of_any_call_back_at_early_and_late_packets_are_thrown_by_all) {
  const auto order = bitonic_order(d);
  for (const std::size_t bytes : telling_sizes) {
    CcCubeAlgorithm fixed(*comm, order, {.packet_count = 2, .packet_bytes = always(bytes)});
    CcCubeAlgorithm varying(*comm, order, {.packet_count = 2});
    for (std::size_t at = 0; at < 2 * order.size(); at += std::max(order.size() / 3, std::size_t{1})) {
      const std::size_t stage = at / 2;
      const std::string expected = who + "stage " + std::to_string(stage) + " (dimension " +
                                   std::to_string(order[stage]) + "), packet " + std::to_string(at % 2) +
                                   " of 2: the disk is full";
      for (const std::string name : {"produce", "consume", "bytes"}) {
        Trap trap{name, stage, at % 2, rank == last};
        EXPECT_EQ(agreed_text(varying, trap.varying(bytes)), expected);
        EXPECT_EQ(trap.sprung, rank == last);
        EXPECT_EQ(trap.calls_afterwards, 0);
        if (name == "bytes") continue;
        trap.sprung = false;
        EXPECT_EQ(agreed_text(fixed, trap.fixed(bytes)), expected);
        EXPECT_EQ(trap.sprung, rank == last);
        EXPECT_EQ(trap.calls_afterwards, 0);
      }
    }
  }
}

TEST_F(CcCubeFailures, leave_an_algorithm_that_can_run_again) {
  const auto order = fft_order(d);
  CcCubeAlgorithm fixed(*comm, order, {.packet_count = 3, .packet_bytes = always(100000)});
  CcCubeAlgorithm varying(*comm, order, {.packet_count = 3});
  Trap trap{"produce", order.size() / 2, 1, rank == last};
  EXPECT_EQ(agreed_text(fixed, trap.fixed(100000)) == "nothing thrown", d == 0);
  EXPECT_EQ(agreed_text(fixed, harmless().fixed(100000)), "nothing thrown");
  EXPECT_EQ(agreed_text(varying, trap.varying(100000)) == "nothing thrown", d == 0);
  EXPECT_EQ(agreed_text(varying, harmless().varying(100000)), "nothing thrown");
}

TEST_F(CcCubeFailures, of_all_processes_alike_name_no_process) {
  if (d == 0) GTEST_SKIP() << "one process has no neighbours";
  CcCubeAlgorithm algorithm(*comm, fft_order(d), {.packet_bytes = always(8)});
  Trap trap{"consume", 0, 0, true};
  EXPECT_EQ(agreed_text(algorithm, trap.fixed(8)), "stage 0 (dimension 0): the disk is full");
}

TEST_F(CcCubeFailures, of_one_process_while_others_keep_to_steps_are_thrown_by_all) {
  const auto order = jacobi_order(d);
  const auto step_of = [](std::size_t iteration, Rank r, int dimension) {
    return (iteration + 5 * label(r) + static_cast<std::size_t>(dimension)) % 7;
  };
  CcCubeAlgorithm fixed(*comm, order,
                        {.packet_count = 4, .packet_bytes = always(100000), .step_of = step_of});
  CcCubeAlgorithm varying(*comm, order, {.packet_count = 4, .step_of = step_of});
  for (std::size_t stage = 0; stage < order.size(); ++stage) {
    Trap trap{"produce", stage, stage % 4, rank == last};
    EXPECT_NE(agreed_text(fixed, trap.fixed(100000)).find("the disk is full"), std::string::npos);
    EXPECT_NE(agreed_text(varying, trap.varying(100000)).find("the disk is full"), std::string::npos);
  }
}

TEST_F(CcCubeFailures, tell_of_a_step_function_that_throws) {
  if (d == 0) GTEST_SKIP() << "one process has no neighbours";
  const auto step_of = [&](std::size_t iteration, Rank, int) -> std::size_t {
    if (rank == last && iteration == 1) throw std::runtime_error("no such task");
    return 3;
  };
  CcCubeAlgorithm algorithm(*comm, fft_order(d),
                            {.packet_count = 2, .packet_bytes = always(8), .step_of = step_of});
  EXPECT_EQ(agreed_text(algorithm, harmless().fixed(8)),
            who + "stage 0 (dimension 0), packet 1 of 2: no such task");
}

TEST_F(CcCubeFailures, tell_of_sizes_that_differ_at_the_two_ends) {
  if (d == 0) GTEST_SKIP() << "one process has no neighbours";
  const auto odd_one = [&](const StagePacket& packet) {
    return rank == last && packet.stage + 1 == packet.index ? std::size_t{300000} : 8;
  };
  const std::string text =
      message_of([&] { CcCubeAlgorithm(*comm, fft_order(d), {.packet_count = 2, .packet_bytes = odd_one}); });
  EXPECT_NE(text.find("stage 0: packet 1 has "), std::string::npos) << text;
  EXPECT_NE(text.find(", its neighbour in dimension 0"), std::string::npos) << text;
}

TEST_F(CcCubeFailures, tell_of_packets_that_mpi_cannot_count) {
  if (d == 0) GTEST_SKIP() << "one process has no neighbours";
  const std::size_t bytes = rank == last ? std::size_t{1} << 31U : 8;
  const std::string text = "a message of 2147483648 x 1 bytes is above the limit of 2147483647 bytes";
  EXPECT_EQ(message_of([&] { CcCubeAlgorithm(*comm, fft_order(d), {.packet_bytes = always(bytes)}); }),
            who + text);
  CcCubeAlgorithm varying(*comm, fft_order(d));
  EXPECT_EQ(agreed_text(varying, harmless().varying(bytes)), who + "stage 0 (dimension 0): " + text);
}

TEST_F(CcCubeFailures, tell_of_a_call_back_that_is_missing_on_one_process_or_one_too_many) {
  const std::string process = d == 0 ? "" : who;
  CcCubeAlgorithm fixed(*comm, fft_order(d), {.packet_count = 2, .packet_bytes = always(300000)});
  Trap trap = harmless();
  StageCallBacks call_backs = trap.fixed(300000);
  if (rank == last) call_backs.bytes = always(8);
  EXPECT_EQ(agreed_text(fixed, call_backs),
            process + "the call-back bytes is given, but packet_bytes fix the payload");
  if (rank == last) call_backs.consume = nullptr;
  EXPECT_EQ(agreed_text(fixed, call_backs), process + "the call-back consume is missing");

  CcCubeAlgorithm varying(*comm, fft_order(d), {.packet_count = 2});
  call_backs = trap.varying(300000);
  if (rank == last) call_backs.bytes = nullptr;
  EXPECT_EQ(agreed_text(varying, call_backs),
            process + "the call-back bytes is missing, and no packet_bytes fix the payload");
  if (rank == last) call_backs.produce = nullptr;
  EXPECT_EQ(agreed_text(varying, call_backs), process + "the call-back produce is missing");
}

TEST_F(CcCubeFailures, refuse_stages_that_the_cube_has_not) {
  const std::string range = " is not in 0 .. d - 1 of a hypercube with d = " + std::to_string(d);
  auto order = fft_order(d);
  order.push_back(d);
  EXPECT_EQ(message_of([&] { CcCubeAlgorithm(*comm, order); }),
            "stage " + std::to_string(d) + ": dimension " + std::to_string(d) + range);
  EXPECT_EQ(message_of([&] { CcCubeAlgorithm(*comm, {-1}); }), "stage 0: dimension -1" + range);
  EXPECT_EQ(message_of([&] { CcCubeAlgorithm(*comm, fft_order(d), {.packet_count = 0}); }),
            "packet count 0: a stage is cut in at least 1 packet");
}

TEST_F(CcCubeFailures, name_the_process_whose_algorithm_differs) {
  if (d == 0) GTEST_SKIP() << "one process differs from nobody";
  const auto complaint = [&](bool longer, std::size_t packets, const Bytes& bytes) {
    auto order = fft_order(d);
    if (longer) order.push_back(0);
    return message_of(
        [&] { CcCubeAlgorithm(*comm, order, {.packet_count = packets, .packet_bytes = bytes}); });
  };
  const bool odd_one = rank == last;
  EXPECT_EQ(complaint(false, 2, always(8)), "nothing thrown");
  const std::string text = complaint(odd_one, 2, always(8));
  EXPECT_EQ(text.find(who + "CC-cube algorithm 'dimensions 0"), 0U) << text;
  EXPECT_NE(text.find(" 0; packets 2; payload fixed' differs from 'dimensions 0"), std::string::npos) << text;
  EXPECT_NE(complaint(false, odd_one ? 3 : 2, always(8)).find("packets 3"), std::string::npos);
  EXPECT_NE(complaint(false, 2, odd_one ? Bytes() : always(8)).find("payload varying"), std::string::npos);
}

TEST(CcCubeAlgorithm, refuses_numbers_of_processes_that_are_no_power_of_two) {
  if (world_is_a_cube()) GTEST_SKIP() << "needs a number of processes that is no power of two";
  const VirtualComm comm(MPI_COMM_WORLD, ring_of_world(), "identity");
  EXPECT_EQ(
      message_of([&] { CcCubeAlgorithm(comm, {}); }),
      ring_of_world() + " has " + std::to_string(world_size()) + " nodes; a hypercube needs a power of two");
}

}  // namespace
}  // namespace cubefold::mpi
