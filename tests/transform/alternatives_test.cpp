#include "transform/alternatives.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>

#include "support/message_of.hpp"

namespace cubefold::fft {
namespace {

constexpr std::size_t point_bytes = 16;

/// Returns a network with one host per node. `alpha` is in microseconds, `tau` in microseconds per byte.
Network network_of(const std::string& grid, double alpha, double tau) {
  Network network{Placement(parse_grid(grid), {}), Machine{parse_grid(grid)}, 0};
  network.host_count = network.placement.rank_count();
  network.machine->alpha_seconds = network.machine->gap_seconds = alpha * 1e-6;
  network.machine->tau_seconds_per_byte = {tau * 1e-6};
  network.machine->host_count = network.host_count;
  return network;
}

Network slow_to_start(const std::string& grid = "torus:4x4") {
  return network_of(grid, 10000, 0.001);
}

Network slow_to_send(const std::string& grid = "torus:4x4") {
  return network_of(grid, 1, 1);
}

PlanOptions line(Distribution input, Distribution output, Algorithm algorithm = Algorithm::automatic) {
  PlanOptions options;
  options.input = input;
  options.output = output;
  options.algorithm = algorithm;
  return options;
}

Choice chosen(std::size_t length, const PlanOptions& options, const Network& network) {
  return choose({length}, options, point_bytes, network);
}

const Alternative& alternative(const Choice& choice, std::string_view name) {
  for (const Alternative& each : choice.alternatives)
    if (name_of(each) == name) return each;
  throw std::invalid_argument("no alternative " + std::string(name));
}

constexpr auto block = Distribution::block;
constexpr auto cyclic = Distribution::cyclic;
constexpr auto block_cyclic = Distribution::block_cyclic;

TEST(Alternatives, are_butterflies_where_messages_are_slow_to_start) {
  for (const auto& [input, output] :
       {std::pair(block, cyclic), {cyclic, block}, {block_cyclic, block_cyclic}}) {
    const Choice choice = chosen(1024, line(input, output), slow_to_start());
    EXPECT_EQ(choice.taken().algorithm, Algorithm::binary_exchange);
    EXPECT_EQ(choice.why, "predicted to take least");
    EXPECT_LT(choice.taken().seconds->predicted, alternative(choice, "transposed").seconds->predicted);
    EXPECT_EQ(choice.taken().message_count, 5) << "four stages and a bit reversal";
  }
}

TEST(Alternatives, are_exchanges_where_bytes_are_slow) {
  for (const auto& [input, output] :
       {std::pair(block, cyclic), {cyclic, block}, {block_cyclic, block_cyclic}, {cyclic, cyclic}}) {
    const Choice choice = chosen(1 << 20, line(input, output), slow_to_send());
    EXPECT_EQ(choice.taken().algorithm, Algorithm::transposed);
    EXPECT_EQ(choice.why, "predicted to take least");
  }
}

TEST(Alternatives, come_in_the_order_of_their_times_behind_the_first) {
  for (const auto& network : {slow_to_start(), slow_to_send(), slow_to_send("hypercube:3")}) {
    for (const auto& [input, output] : {std::pair(cyclic, cyclic), {block, cyclic}, {block_cyclic, cyclic}}) {
      const Choice choice = chosen(network.host_count << 12, line(input, output), network);
      ASSERT_GE(choice.alternatives.size(), 2U);
      for (const Alternative& each : choice.alternatives) {
        EXPECT_LE(choice.taken().seconds->predicted, each.seconds->predicted) << name_of(each);
        EXPECT_GE(each.seconds->predicted, each.seconds->bound * (1 - 1e-12)) << name_of(each);
      }
    }
  }
}

TEST(Alternatives, of_halves_send_half_as_much_and_have_the_bound_of_the_exchange_they_are) {
  const Choice choice = chosen(1 << 16, line(cyclic, cyclic), slow_to_send());
  const Alternative& halves = alternative(choice, "half-exchange");
  EXPECT_EQ(halves.sent_bytes, 4U * (1 << 12) / 2 * point_bytes);
  EXPECT_EQ(halves.message_count, 4 * halves.packet_count);
  EXPECT_EQ(halves.seconds->bound, alternative(choice, "transposed").seconds->bound);
  EXPECT_EQ(alternative(choice, "transposed").sent_bytes, 15U * (1 << 8) * point_bytes);
}

TEST(Alternatives, are_not_compared_on_one_host) {
  for (Network network : {slow_to_start(), slow_to_send()}) {
    network.host_count = network.machine->host_count = 1;
    for (const auto& [input, output] : {std::pair(block, cyclic), {cyclic, cyclic}}) {
      const Choice choice = chosen(1024, line(input, output), network);
      EXPECT_EQ(choice.taken().algorithm, Algorithm::transposed);
      EXPECT_EQ(choice.why, "all processes share the memory of one host");
    }
  }
}

TEST(Alternatives, have_times_of_a_typical_network_where_nothing_is_known_of_it) {
  Network network{Placement(parse_grid("torus:4x4"), {}), {}, 2};
  const Choice choice = chosen(1 << 20, line(block, cyclic), network);
  EXPECT_EQ(choice.why, "takes least on a typical network; cubefold-calibrate measures this one");
  for (const Alternative& each : choice.alternatives) EXPECT_TRUE(each.seconds) << name_of(each);
  network.host_count = 1;
  for (const Alternative& each : chosen(1 << 20, line(block, cyclic), network).alternatives)
    EXPECT_FALSE(each.seconds) << name_of(each);
}

TEST(Alternatives, take_bluestein_only_where_the_length_needs_it) {
  const Choice prime = chosen(1009, line(cyclic, cyclic), slow_to_send());
  EXPECT_EQ(prime.taken().algorithm, Algorithm::bluestein);
  EXPECT_EQ(prime.why, "the length has no two factors that suit the processes");
  EXPECT_EQ(prime.alternatives.size(), 1U);
  const Choice even = chosen(1024, line(block, block), slow_to_send());
  EXPECT_EQ(even.taken().algorithm, Algorithm::transposed);
  EXPECT_EQ(even.why, "no butterflies go between these distributions");
  EXPECT_GT(alternative(even, "bluestein").sent_bytes, even.taken().sent_bytes);
}

TEST(Alternatives, are_what_is_asked_for) {
  for (const auto algorithm : {Algorithm::transposed, Algorithm::bluestein, Algorithm::half_exchange}) {
    const Choice choice = chosen(1024, line(cyclic, cyclic, algorithm), slow_to_send());
    EXPECT_EQ(choice.taken().algorithm, algorithm);
    EXPECT_EQ(choice.why, "as asked for");
    EXPECT_EQ(choice.alternatives.size(), 3U);
  }
}

TEST(Alternatives, of_butterflies_are_refused_with_the_rule_that_they_break) {
  const auto refusal = [](std::size_t length, const PlanOptions& options, const std::string& grid) {
    return message_of([&] { chosen(length, options, slow_to_send(grid)); });
  };
  const std::string rule_of_halves =
      "; on 2^n processes it goes from cyclic to cyclic, where the square of the processes divides the "
      "points, "
      "and from block_cyclic to cyclic, of at least the cube of the processes";
  EXPECT_EQ(
      refusal(128, line(cyclic, cyclic, Algorithm::half_exchange), "torus:4x4"),
      "fft::Plan: no half-exchange of 128 points on 16 processes from cyclic to cyclic" + rule_of_halves);
  EXPECT_EQ(
      refusal(1024, line(block, cyclic, Algorithm::half_exchange), "torus:4x4"),
      "fft::Plan: no half-exchange of 1024 points on 16 processes from block to cyclic" + rule_of_halves);
  const std::string rule =
      "; on 2^n processes it goes from block to cyclic and from cyclic to block, where processes divide the "
      "points, and from block_cyclic to block_cyclic";
  EXPECT_EQ(refusal(36, line(block, cyclic, Algorithm::binary_exchange), "ring:3"),
            "fft::Plan: no binary-exchange of 36 points on 3 processes from block to cyclic" + rule);
  EXPECT_EQ(refusal(36, line(block, cyclic, Algorithm::binary_exchange), "ring:8"),
            "fft::Plan: no binary-exchange of 36 points on 8 processes from block to cyclic" + rule);
  PlanOptions real = line(block, cyclic, Algorithm::binary_exchange);
  real.kind = Kind::real;
  EXPECT_EQ(refusal(64, real, "ring:4"), "fft::Plan: binary-exchange is for complex points, not real ones");
  EXPECT_EQ(refusal(17, line(cyclic, cyclic, Algorithm::transposed), "ring:4"),
            "fft::Plan: 17 points on 4 processes have no factors for the transposed algorithm");
}

TEST(Alternatives, send_as_many_arrays_as_there_are) {
  PlanOptions options = line(cyclic, cyclic);
  const Choice one = chosen(1024, options, slow_to_send());
  options.batch = 3;
  const Choice three = chosen(1024, options, slow_to_send());
  for (const char* name : {"transposed", "half-exchange", "bluestein"})
    EXPECT_EQ(alternative(three, name).sent_bytes, 3 * alternative(one, name).sent_bytes) << name;
  EXPECT_EQ(alternative(three, "transposed").message_count, alternative(one, "transposed").message_count);
}

Choice of_array(const std::vector<std::size_t>& lengths, const Network& network,
                Decomposition decomposition = Decomposition::automatic) {
  PlanOptions options;
  options.decomposition = decomposition;
  return choose(lengths, options, point_bytes, network);
}

// On 16 processes, slabs send 1.875 times and pencils 3 times the points of a process, as docs/fft.md says.
TEST(Alternatives, are_slabs_where_these_send_less) {
  constexpr std::size_t bytes_of_process = 64 * 64 * 64 / 16 * point_bytes;
  for (Network network : {slow_to_send(), slow_to_send()}) {
    const Choice choice = of_array({64, 64, 64}, network);
    EXPECT_EQ(choice.taken().decomposition, Decomposition::slab);
    EXPECT_EQ(choice.taken().sent_bytes, bytes_of_process * 15 / 8);
    EXPECT_EQ(alternative(choice, "pencil").sent_bytes, bytes_of_process * 3);
    EXPECT_LT(choice.taken().seconds->predicted, alternative(choice, "pencil").seconds->predicted);
  }
}

TEST(Alternatives, are_pencils_where_there_are_fewer_planes_than_processes) {
  for (const std::size_t hosts : {1U, 16U}) {
    Network network = slow_to_send();
    network.host_count = network.machine->host_count = hosts;
    const Choice choice = of_array({4, 64, 64}, network);
    EXPECT_EQ(choice.taken().decomposition, Decomposition::pencil);
    EXPECT_EQ(choice.why, hosts == 1 ? "sends no more, on one host" : "predicted to take least");
    EXPECT_LT(choice.taken().sent_bytes, alternative(choice, "slab").sent_bytes);
  }
}

TEST(Alternatives, are_slabs_on_one_axis_and_of_two_dimensions) {
  EXPECT_EQ(of_array({4, 64, 64}, slow_to_send("ring:16")).why, "pencils need a grid of two axes or more");
  EXPECT_EQ(of_array({64, 64}, slow_to_send()).why, "the only decomposition of 2-D arrays");
  EXPECT_EQ(of_array({64, 64}, slow_to_send()).taken().decomposition, Decomposition::slab);
}

TEST(Alternatives, of_arrays_are_what_is_asked_for) {
  for (const auto decomposition : {Decomposition::slab, Decomposition::pencil}) {
    for (const auto& lengths : std::vector<std::vector<std::size_t>>{{64, 64, 64}, {4, 64, 64}}) {
      const Choice choice = of_array(lengths, slow_to_send(), decomposition);
      EXPECT_EQ(choice.taken().decomposition, decomposition);
      EXPECT_EQ(choice.alternatives.size(), 2U);
    }
  }
  EXPECT_EQ(message_of([] {
              of_array({64, 64}, slow_to_send(), Decomposition::pencil);
            }),
            "fft::Plan: an array of 2 dimensions has no pencils");
}

TEST(Alternatives, are_refused_as_pencils_without_two_axes_of_several_nodes) {
  const auto refusal_on = [](const Network& network) {
    return message_of([&] { of_array({4, 64, 64}, network, Decomposition::pencil); });
  };
  const std::string rule =
      "fft::Plan: decomposition pencil needs a network with two axes of several nodes, but the 16 processes "
      "are on: ";
  EXPECT_EQ(refusal_on(slow_to_send("ring:16")), rule + "ring:16");
  EXPECT_EQ(refusal_on(slow_to_send("torus:1x16")), rule + "torus:1x16");
  Network unknown = slow_to_send("line:16");
  unknown.name = "unknown network";
  EXPECT_EQ(refusal_on(unknown), rule + "unknown network");
  EXPECT_EQ(of_array({4, 64, 64}, slow_to_send("line:1"), Decomposition::pencil).taken().decomposition,
            Decomposition::pencil)
      << "one process has all points";
}

TEST(ChoiceText, names_the_taken_alternative_its_reason_and_the_others) {
  Alternative taken{.algorithm = Algorithm::transposed, .message_count = 3, .sent_bytes = 768};
  taken.seconds = {2e-3, 1e-3};
  Alternative other{.algorithm = Algorithm::half_exchange, .message_count = 1, .sent_bytes = 64};
  other.packet_count = 1;
  EXPECT_EQ(choice_text({{taken, other}, "predicted to take least"}),
            "all: 3 messages and 768 bytes sent by each process\n"
            "all exchanges: predicted 2 ms, the bound 1 ms, 2 times that\n"
            "taken: transposed, predicted to take least\n"
            "alternative half-exchange: 1 message and 64 bytes sent by each process\n");
}

}  // namespace
}  // namespace cubefold::fft
