#include "fft/binary_exchange_fft.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "cubefold/lcc/contention.hpp"
#include "cubefold/lcc/pattern.hpp"
#include "support/long_points.hpp"
#include "support/message_of.hpp"
#include "support/world.hpp"
#include "transform/binary_exchange_cost.hpp"

namespace cubefold::fft {
namespace {

using enum Exchanged;
using enum RankLabels;
using mpi::grids_of_world;
using mpi::ring_of_world;
using mpi::VirtualComm;
using mpi::world_is_a_cube;

template <typename Real>
using PointsOf = std::vector<std::complex<Real>>;

std::size_t process_count() {
  return static_cast<std::size_t>(mpi::world_size());
}

template <typename Real>
Long limit(std::size_t m) {
  return 4 * std::numeric_limits<Real>::epsilon() *
         std::sqrt(std::max(1.0L, std::log2(static_cast<Long>(m))));
}

template <typename Real>
PointsOf<Real> part_of(const LongPoints& whole, const BinaryExchange& exchange, Rank rank) {
  const Layout layout = exchange.input();
  const auto members = exchange.members_of(rank);
  PointsOf<Real> part;
  for (std::size_t i = 0; i < exchange.local_count(); ++i)
    part.emplace_back(whole[layout.point_at(members, i)]);
  return part;
}

/// Returns the relative L2 error ||part - expected|| / ||expected|| over all processes. Each process passes its own
/// part. All processes must call this.
template <typename Real>
Long error_of_part(const PointsOf<Real>& part, const LongPoints& expected, const BinaryExchange& exchange,
                   const VirtualComm& comm) {
  const Layout layout = exchange.output();
  const auto members = exchange.members_of(comm.rank());
  Long sums[2] = {0, 0};
  for (std::size_t i = 0; i < part.size(); ++i) {
    const auto& value = expected[layout.point_at(members, i)];
    sums[0] += std::norm(std::complex<Long>(part[i]) - value);
    sums[1] += std::norm(value);
  }
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_LONG_DOUBLE, MPI_SUM, comm.virtual_comm());
  return std::sqrt(sums[0] / sums[1]);
}

template <typename Real>
PointsOf<Real> transformed(const LongPoints& x, const BinaryExchange& exchange, const VirtualComm& comm,
                           const BinaryExchangeOptions& options) {
  BinaryExchangeFft<Real> fft(comm, exchange, options);
  const auto input = part_of<Real>(x, exchange, comm.rank());
  PointsOf<Real> output(input.size());
  fft.execute(input.data(), output.data());
  return output;
}

/// Returns the binary exchanges that exist for m points, between named distributions and with natural and reversed rank
/// labels.
std::vector<BinaryExchange> exchanges_of(std::size_t m) {
  using enum Distribution;
  struct Between {
    Exchanged exchanged;
    Distribution input;
    Distribution output;
  };
  std::vector<BinaryExchange> exchanges;
  for (const auto& [exchanged, input, output] :
       {Between{whole, block, cyclic}, Between{whole, cyclic, block},
        Between{whole, block_cyclic, block_cyclic}, Between{half, cyclic, cyclic},
        Between{half, block_cyclic, cyclic}}) {
    for (const RankLabels labels : {natural, input_reversed, output_reversed}) {
      const BinaryExchangeShape kind{.rank_count = process_count(), .exchanged = exchanged, .labels = labels};
      if (const auto exchange = binary_exchange_between(input, output, m, kind))
        exchanges.push_back(*exchange);
    }
  }
  return exchanges;
}

/// Returns the powers of two from p to 2^14, and some other multiples of p.
std::vector<std::size_t> lengths() {
  std::vector<std::size_t> result;
  for (std::size_t m = process_count(); m <= std::size_t{1} << 14; m *= 2) result.push_back(m);
  for (const std::size_t m : {3U, 15U, 3U * static_cast<unsigned>(process_count()), 100U})
    result.push_back(m * process_count());
  return result;
}

const ExchangeModel a_model{1e-5, 1e-6, {1e-8}, 0, {}};

template <typename Real>
class BinaryExchangeFftTest : public testing::Test {
 protected:
  VirtualComm comm{MPI_COMM_WORLD, ring_of_world(), "xor"};
};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(BinaryExchangeFftTest, Precisions);

TYPED_TEST(BinaryExchangeFftTest, is_the_transform_from_every_distribution_to_every_other_that_there_is) {
  for (const std::size_t m : lengths()) {
    const LongPoints x = widened(random_complex<TypeParam>(m, 1));
    const LongPoints expected = long_dft(x, -1);
    for (const BinaryExchange& exchange : exchanges_of(m)) {
      const auto result = transformed<TypeParam>(x, exchange, this->comm, {});
      EXPECT_LE(error_of_part(result, expected, exchange, this->comm), limit<TypeParam>(m))
          << describe(exchange);
    }
  }
}

TYPED_TEST(BinaryExchangeFftTest, is_the_same_bit_by_bit_whatever_the_packets) {
  const std::size_t p = process_count();
  for (const std::size_t m : {p, 2 * p, 16 * p, 48 * p}) {
    const LongPoints x = widened(random_complex<TypeParam>(m, 2));
    for (const BinaryExchange& exchange : exchanges_of(m)) {
      const auto expected = transformed<TypeParam>(x, exchange, this->comm, {.packet_count = 1});
      for (const std::size_t packets : {2U, 3U}) {
        const auto result = transformed<TypeParam>(x, exchange, this->comm, {.packet_count = packets});
        EXPECT_EQ(result, expected) << describe(exchange) << ", " << packets << " packets";
      }
      const BinaryExchangeOptions best{.model = a_model};
      EXPECT_EQ(transformed<TypeParam>(x, exchange, this->comm, best), expected) << describe(exchange);
    }
  }
}

TYPED_TEST(BinaryExchangeFftTest, inverse_divides_by_the_length) {
  for (const std::size_t m : {process_count(), 64 * process_count(), 48 * process_count()}) {
    const LongPoints x = widened(random_complex<TypeParam>(m, 3));
    LongPoints expected = long_dft(x, +1);
    for (auto& value : expected) value /= static_cast<Long>(m);
    for (const BinaryExchange& exchange : exchanges_of(m)) {
      const BinaryExchangeOptions options{.transform = Transform::inverse, .packet_count = 2};
      const auto result = transformed<TypeParam>(x, exchange, this->comm, options);
      EXPECT_LE(error_of_part(result, expected, exchange, this->comm), limit<TypeParam>(m))
          << describe(exchange);
    }
  }
}

TYPED_TEST(BinaryExchangeFftTest, gives_the_same_in_place_and_leaves_the_input_otherwise) {
  const std::size_t m = 256 * process_count();
  const LongPoints x = widened(random_complex<TypeParam>(m, 4));
  for (const BinaryExchange& exchange : exchanges_of(m)) {
    BinaryExchangeFft<TypeParam> fft(this->comm, exchange, {.packet_count = 2});
    const auto input = part_of<TypeParam>(x, exchange, this->comm.rank());
    auto in_place = input;
    auto kept = input;
    PointsOf<TypeParam> output(input.size());
    fft.execute(kept.data(), output.data());
    fft.execute(in_place.data(), in_place.data());
    EXPECT_EQ(in_place, output) << describe(exchange);
    EXPECT_EQ(kept, input) << describe(exchange);
  }
}

TYPED_TEST(BinaryExchangeFftTest, takes_arrays_of_any_alignment_and_the_callers_workspace) {
  const std::size_t m = 64 * process_count();
  const LongPoints x = widened(random_complex<TypeParam>(m, 5));
  for (const BinaryExchange& exchange : exchanges_of(m)) {
    const auto expected = transformed<TypeParam>(x, exchange, this->comm, {});
    BinaryExchangeFft<TypeParam> fft(this->comm, exchange);
    const auto input = part_of<TypeParam>(x, exchange, this->comm.rank());
    std::vector<TypeParam> values(2 * input.size() + 1);
    auto* shifted = reinterpret_cast<std::complex<TypeParam>*>(values.data() + 1);
    std::copy(input.begin(), input.end(), shifted);
    std::vector<std::byte> workspace(fft.workspace_bytes());
    fft.use_workspace(workspace.data());
    fft.execute(shifted, shifted);
    EXPECT_EQ(PointsOf<TypeParam>(shifted, shifted + input.size()), expected) << describe(exchange);
  }
}

/// Returns the binary exchange of m points from block to cyclic.
BinaryExchange exchange_of(std::size_t m, RankLabels labels) {
  return BinaryExchange({process_count(), 1, m / process_count(), whole, labels});
}

TEST(BinaryExchangeFft, gives_the_same_under_every_placement_and_in_the_best_order_for_the_bit_reversal) {
  const std::size_t m = 64 * process_count();
  const LongPoints x = widened(random_complex<double>(m, 6));
  const BinaryExchange exchange({process_count(), 8, 8});
  const BinaryExchangeOptions options{.packet_count = 3, .model = a_model};
  const auto expected =
      transformed<double>(x, exchange, VirtualComm(MPI_COMM_WORLD, ring_of_world(), "identity"), options);
  auto rules = mpi::rules_of_world();
  std::string best = "standard,order=";
  for (const int bit : optimal_order(parse_pattern("bit-reversal", exchange.stage_count())))
    best += std::to_string(bit) + "-";
  best.pop_back();
  if (exchange.stage_count() > 0) rules.push_back(best);
  for (const auto& grid : grids_of_world()) {
    for (const auto& rule : rules) {
      const VirtualComm comm(MPI_COMM_WORLD, grid, rule);
      const auto result = transformed<double>(x, exchange, comm, options);
      const int count = static_cast<int>(2 * expected.size());
      std::vector<std::complex<double>> all(m);
      MPI_Allgather(result.data(), count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE, comm.virtual_comm());
      const auto mine = all.begin() + mpi::world_rank() * static_cast<std::ptrdiff_t>(expected.size());
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), mine)) << grid << " " << rule;
    }
  }
}

TEST(BinaryExchangeFft, spares_the_bit_reversal_where_labels_are_read_backwards) {
  const std::size_t m = 64 * process_count();
  const VirtualComm comm(MPI_COMM_WORLD, ring_of_world(), "identity");
  const LongPoints x = widened(random_complex<double>(m, 7));
  const auto with_message = transformed<double>(x, exchange_of(m, natural), comm, {});
  const auto without = transformed<double>(x, exchange_of(m, input_reversed), comm, {});
  EXPECT_EQ(without, with_message);  // each rank has the same points in both
  const std::size_t spared = exchange_of(m, natural).has_bit_reversal() ? 1 : 0;
  EXPECT_EQ(traffic_of(exchange_of(m, natural), 1).startups,
            traffic_of(exchange_of(m, input_reversed), 1).startups + spared);
}

TEST(BinaryExchangeFft, takes_the_best_packet_count_of_the_model) {
  const VirtualComm comm(MPI_COMM_WORLD, ring_of_world(), "standard");
  const BinaryExchange exchange = exchange_of(4096 * process_count(), output_reversed);
  EXPECT_EQ(BinaryExchangeFft<double>(comm, exchange).packet_count(), 1U);
  const std::size_t best =
      exchange.stage_count() == 0 ? 1 : best_packet_count(exchange, comm.placement(), 16, a_model);
  EXPECT_EQ(BinaryExchangeFft<double>(comm, exchange, {.model = a_model}).packet_count(), best);
}

TEST(BinaryExchangeFft, computes_while_messages_travel_only_if_there_are_packets) {
  const VirtualComm comm(MPI_COMM_WORLD, ring_of_world(), "xor");
  const BinaryExchange exchange = exchange_of(256 * process_count(), output_reversed);
  const PointsOf<double> input(exchange.local_count(), 1.0);
  PointsOf<double> output(input.size());
  for (const std::size_t packets : {1U, 4U}) {
    BinaryExchangeFft<double> fft(comm, exchange, {.packet_count = packets});
    fft.execute(input.data(), output.data());
    EXPECT_EQ(fft.times().overlap_seconds > 0, packets > 1 && exchange.stage_count() > 1);
    EXPECT_GE(fft.times().exchange_seconds, fft.times().overlap_seconds);
  }
}

TEST(BinaryExchangeFft, describes_itself_and_its_messages) {
  const VirtualComm comm(MPI_COMM_WORLD, ring_of_world(), "xor");
  const BinaryExchange exchange = exchange_of(16 * process_count(), output_reversed);
  const auto n = static_cast<std::size_t>(exchange.stage_count());
  const BinaryExchangeFft<double> fft(comm, exchange, {.packet_count = 2});
  EXPECT_EQ(fft.describe(), describe(exchange) + "\n2 packets a stage; each rank sends " +
                                std::to_string(2 * n) + " messages, " + std::to_string(16 * n) + " points");
  const BinaryExchangeFft<double> known(comm, exchange, {.model = a_model});
  EXPECT_EQ(known.describe().find("; predicted ") != std::string::npos, n > 0) << known.describe();
}

TEST(BinaryExchangeFft, fails_on_all_processes_if_one_asks_for_something_else) {
  if (process_count() == 1) GTEST_SKIP() << "needs two processes that can differ";
  const VirtualComm comm(MPI_COMM_WORLD, ring_of_world(), "identity");
  const bool odd_one = comm.rank() == Rank{1};
  const auto complaint = [&](const BinaryExchange& exchange, const BinaryExchangeOptions& options) {
    return message_of([&] { BinaryExchangeFft<double>(comm, exchange, options); });
  };
  const std::string who = "process 1 of " + std::to_string(process_count()) + ": transform '";
  const auto usual = exchange_of(16 * process_count(), natural);
  const auto other = exchange_of(16 * process_count(), output_reversed);
  EXPECT_TRUE(complaint(odd_one ? other : usual, {}).starts_with(who));
  EXPECT_TRUE(complaint(usual, {.packet_count = odd_one ? 2U : 1U}).starts_with(who));
  EXPECT_TRUE(
      complaint(usual, {.transform = odd_one ? Transform::inverse : Transform::forward}).starts_with(who));
  EXPECT_EQ(complaint(BinaryExchange({2 * process_count(), 4, 4}), {}),
            "BinaryExchangeFft: " + std::to_string(process_count()) + " processes for an exchange of " +
                std::to_string(2 * process_count()) + " ranks");
}

}  // namespace
}  // namespace cubefold::fft
