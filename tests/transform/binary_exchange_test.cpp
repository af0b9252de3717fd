#include "transform/binary_exchange.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <set>
#include <vector>

#include "support/long_points.hpp"
#include "support/message_of.hpp"
#include "transform/layouts.hpp"

namespace cubefold::fft {
namespace {

using enum Exchanged;
using enum RankLabels;

constexpr RankLabels all_labels[] = {natural, input_reversed, output_reversed};

bool has_half_exchange(std::size_t p, std::size_t high, RankLabels labels) {
  return high % p == 0 || (labels != natural && high > 1 && std::has_single_bit(high));
}

/// Returns all shapes of up to 16 ranks and 512 points with small factors.
std::vector<BinaryExchangeShape> small_shapes() {
  std::vector<BinaryExchangeShape> shapes;
  for (const std::size_t p : {1U, 2U, 4U, 8U, 16U}) {
    for (const std::size_t high : {1U, 2U, 3U, 4U, 6U, 8U, 16U, 32U, 48U}) {
      for (const std::size_t low : {1U, 2U, 3U, 4U}) {
        if (p * high * low > 512) continue;
        for (const RankLabels labels : all_labels) {
          shapes.push_back({p, high, low, whole, labels});
          if (has_half_exchange(p, high, labels)) shapes.push_back({p, high, low, half, labels});
        }
      }
    }
  }
  return shapes;
}

/// Executes a BinaryExchange for all ranks in one process, in long double.
class Interpreter {
 public:
  Interpreter(const BinaryExchange& exchange, const LongPoints& x, int sign)
      : exchange_(exchange), sign_(sign), parts_(exchange.shape().rank_count) {
    for (std::uint32_t r = 0; r < parts_.size(); ++r) begin(Rank{r}, x);
  }

  LongPoints spectrum() {
    for (int stage = 0; stage < exchange_.stage_count(); ++stage) do_stage(stage);
    LongPoints result(exchange_.point_count());
    for (std::uint32_t r = 0; r < parts_.size(); ++r) end(Rank{r}, result);
    return result;
  }

 private:
  /// Computes the transforms of H points and the first twiddle, on the input of the rank, or on what the rank receives
  /// by the bit reversal if there is one.
  void begin(Rank rank, const LongPoints& x) {
    const auto& [p, high, low, exchanged, labels] = exchange_.shape();
    const Layout input = exchange_.input();
    const auto members =
        exchange_.members_of(exchange_.has_bit_reversal() ? exchange_.bit_reversed(rank) : rank);
    LongPoints& part = parts_[label(rank)];
    for (std::size_t index = 0; index < exchange_.local_count(); ++index) {
      const std::size_t row = index / exchange_.column_count();
      const std::size_t column = index % exchange_.column_count();
      const std::size_t k = exchange_.high_of_row(row) + exchange_.row_count() * (column / low);
      std::complex<Long> sum = 0;
      for (std::size_t j = 0; j < high; ++j)
        sum += x[input.point_at(members, j * low + column % low)] * long_root(j * k, high, sign_);
      part.push_back(sum * long_root(exchange_.input_label(rank) * k, p * high, sign_));
    }
  }

  void do_stage(int stage) {
    const auto before = parts_;
    const std::uint32_t bit = 1U << exchange_.dimension_of(stage);
    const std::size_t order = std::size_t{1} << (exchange_.stage_count() - stage);
    for (std::uint32_t r = 0; r < parts_.size(); ++r) {
      const auto turn = long_root(exchange_.twiddle_exponent(stage, Rank{r}), order, sign_);
      for (std::size_t index = 0; index < exchange_.local_count(); ++index) {
        const bool odd = exchange_.shape().exchanged == whole ? (r & bit) != 0 : row_bit(stage, index) != 0;
        const std::size_t place = place_before(stage, index, (r & bit) != 0);
        const auto first = before[r & ~bit][place];
        const auto second = before[r | bit][place];
        parts_[r][index] = odd ? (first - second) * turn : first + second;
      }
    }
  }

  std::size_t row_bit(int stage, std::size_t index) const {
    return (index / exchange_.column_count()) >> exchange_.row_bit_of(stage) & 1U;
  }

  /// Returns the place of a point before the stage: the same place in a whole exchange. In a half exchange the row bit
  /// of that place is the bit of the rank.
  std::size_t place_before(int stage, std::size_t index, bool rank_bit) const {
    if (exchange_.shape().exchanged == whole) return index;
    const std::size_t bit = exchange_.column_count() << exchange_.row_bit_of(stage);
    const std::size_t without = index - (row_bit(stage, index) != 0 ? bit : 0);
    return without + (rank_bit ? bit : 0);
  }

  /// Computes the second twiddle and the transforms of L points.
  void end(Rank rank, LongPoints& result) const {
    const std::size_t low = exchange_.shape().low;
    const std::size_t m = exchange_.point_count();
    const auto [first, step, heads] = exchange_.heads(rank);
    for (std::size_t place = 0; place < exchange_.local_count(); ++place) {
      const std::size_t head = place % heads;
      std::complex<Long> sum = 0;
      for (std::size_t j = 0; j < low; ++j) {
        const auto twiddle = long_root(j * (first + head * step), m, sign_);
        sum += parts_[label(rank)][head * low + j] * twiddle * long_root(j * (place / heads), low, sign_);
      }
      result[exchange_.output().point_at(exchange_.members_of(rank), place)] = sum;
    }
  }

  BinaryExchange exchange_;
  int sign_;
  std::vector<LongPoints> parts_;
};

TEST(BinaryExchange, is_the_transform_by_definition_in_every_small_shape) {
  for (const BinaryExchangeShape& shape : small_shapes()) {
    const BinaryExchange exchange(shape);
    const LongPoints x = widened(random_complex<double>(exchange.point_count(), 1));
    EXPECT_LE(error_of(Interpreter(exchange, x, -1).spectrum(), long_dft(x, -1)), 1e-17)
        << describe(exchange);
  }
}

TEST(BinaryExchange, is_no_transform_if_the_ranks_hold_other_points) {
  const LongPoints x = widened(random_complex<double>(64, 2));
  const BinaryExchange exchange({4, 4, 4, half});
  LongPoints swapped = x;
  std::swap(swapped[1], swapped[17]);
  EXPECT_GT(error_of(Interpreter(exchange, swapped, -1).spectrum(), long_dft(x, -1)), 0.01);
}

TEST(BinaryExchange, gives_every_point_to_one_rank_before_and_after) {
  for (const BinaryExchangeShape& shape : small_shapes()) {
    const BinaryExchange exchange(shape);
    for (const Layout& layout : {exchange.input(), exchange.output()}) {
      std::set<std::size_t> points;
      for (std::uint32_t r = 0; r < shape.rank_count; ++r) {
        const auto members = exchange.members_of(Rank{r});
        ASSERT_EQ(layout.local_count(members), exchange.local_count());
        for (std::size_t i = 0; i < exchange.local_count(); ++i) points.insert(layout.point_at(members, i));
      }
      EXPECT_EQ(points.size(), exchange.point_count()) << describe(exchange);
    }
  }
}

struct Between {
  Exchanged exchanged;
  Distribution input;
  Distribution output;
};

constexpr Between all_between[] = {
    {whole, Distribution::block, Distribution::cyclic},
    {whole, Distribution::cyclic, Distribution::block},
    {whole, Distribution::block_cyclic, Distribution::block_cyclic},
    {half, Distribution::cyclic, Distribution::cyclic},
    {half, Distribution::block_cyclic, Distribution::cyclic},
};

Layout layout_of(Distribution distribution, std::size_t m, std::size_t p) {
  if (distribution == Distribution::block) return block_layout(m, 1, p);
  return distribution == Distribution::cyclic ? cyclic_layout(m, p) : block_cyclic_layout(m, p);
}

TEST(BinaryExchange, takes_and_gives_the_distributions_that_it_is_asked_for) {
  for (const auto& [exchanged, input, output] : all_between) {
    for (const std::size_t p : {1U, 2U, 4U, 8U, 16U}) {
      for (std::size_t m = 1; m <= 1024; ++m) {
        const auto exchange =
            binary_exchange_between(input, output, m, {.rank_count = p, .exchanged = exchanged});
        if (!exchange) continue;
        EXPECT_TRUE(same_places(exchange->input(), layout_of(input, m, p))) << m << " on " << p;
        EXPECT_TRUE(same_places(exchange->output(), layout_of(output, m, p))) << m << " on " << p;
      }
    }
  }
}

TEST(BinaryExchange, reads_the_labels_of_one_side_backwards) {
  const BinaryExchange block_to_cyclic({8, 1, 4, whole, output_reversed});
  for (std::uint32_t r = 0; r < 8; ++r) {
    const std::size_t reversed = label(block_to_cyclic.bit_reversed(Rank{r}));
    const auto members = block_to_cyclic.members_of(Rank{r});
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(block_to_cyclic.input().point_at(members, i), 4 * r + i);
      EXPECT_EQ(block_to_cyclic.output().point_at(members, i), reversed + 8 * i);
    }
  }
}

TEST(BinaryExchange, of_halves_from_cyclic_to_cyclic_needs_p_squared_to_divide_m_or_labels_reversed) {
  const auto exists = [](std::size_t m, std::size_t p, RankLabels labels) {
    const BinaryExchangeShape kind{.rank_count = p, .exchanged = half, .labels = labels};
    return binary_exchange_between(Distribution::cyclic, Distribution::cyclic, m, kind).has_value();
  };
  for (const std::size_t p : {2U, 4U, 8U, 16U}) {
    for (std::size_t m = 1; m <= 2048; ++m) {
      EXPECT_EQ(exists(m, p, natural), m % (p * p) == 0) << m << " on " << p;
      const bool is_small = std::has_single_bit(m) && m > p;
      EXPECT_EQ(exists(m, p, input_reversed), m % (p * p) == 0 || is_small) << m << " on " << p;
    }
  }
}

TEST(BinaryExchange, of_wholes_needs_a_multiple_of_the_ranks_and_block_cyclic_a_power_of_four_times_them) {
  const auto exists = [](Distribution from, Distribution to, std::size_t m, std::size_t p) {
    return binary_exchange_between(from, to, m, {.rank_count = p}).has_value();
  };
  using enum Distribution;
  for (std::size_t m = 1; m <= 300; ++m) {
    EXPECT_EQ(exists(block, cyclic, m, 8), m % 8 == 0);
    EXPECT_EQ(exists(cyclic, block, m, 8), m % 8 == 0);
    EXPECT_EQ(exists(block_cyclic, block_cyclic, m, 8), m == 8 || m == 32 || m == 128);
    EXPECT_FALSE(exists(block, block, m, 8));
    EXPECT_FALSE(exists(cyclic, block, m, 6));
  }
}

TEST(BinaryExchange, sends_a_bit_reversal_only_where_whole_parts_travel_under_natural_labels) {
  EXPECT_TRUE(BinaryExchange({4, 2, 2}).has_bit_reversal());
  EXPECT_FALSE(BinaryExchange({2, 2, 2}).has_bit_reversal());  // a label of one bit is its own reversal
  EXPECT_FALSE(BinaryExchange({4, 2, 2, whole, input_reversed}).has_bit_reversal());
  EXPECT_FALSE(BinaryExchange({4, 2, 2, whole, output_reversed}).has_bit_reversal());
  EXPECT_FALSE(BinaryExchange({4, 4, 1, half}).has_bit_reversal());
}

TEST(BinaryExchange,
     uses_the_dimensions_in_the_order_of_the_paper) {  // [Lcc] section 6.2: stage s+1+i with N_i
  const BinaryExchange exchange({16, 4, 4});
  for (int stage = 0; stage < 4; ++stage) EXPECT_EQ(exchange.dimension_of(stage), stage);
}

TEST(BinaryExchange, refuses_shapes_that_it_cannot_do) {
  const auto complaint = [](const BinaryExchangeShape& shape) {
    return message_of([&] { BinaryExchange{shape}; });
  };
  EXPECT_EQ(complaint({6, 2, 2}), "BinaryExchange: 6 ranks are no power of two");
  EXPECT_EQ(complaint({0, 2, 2}), "BinaryExchange: 0 ranks are no power of two");
  EXPECT_EQ(complaint({4, 0, 2}), "BinaryExchange: 0 x 4 x 2 points are none");
  EXPECT_EQ(complaint({4, 2, 0}), "BinaryExchange: 2 x 4 x 0 points are none");
  EXPECT_EQ(
      complaint({4, 2, 1, half}),
      "BinaryExchange: a half exchange of 4 ranks needs a multiple of them in the first transforms, not 2");
  EXPECT_EQ(
      complaint({4, 6, 1, half, input_reversed}),
      "BinaryExchange: a half exchange of 4 ranks needs a multiple of them, or 2, 4, 8, ... points in the "
      "first transforms, not 6");
  EXPECT_EQ(
      complaint({4, 1, 4, half, output_reversed}),
      "BinaryExchange: a half exchange of 4 ranks needs a multiple of them, or 2, 4, 8, ... points in the "
      "first transforms, not 1");
}

TEST(BinaryExchange, is_described_in_a_line) {
  EXPECT_EQ(describe(BinaryExchange({4, 8, 2})),
            "whole exchange of 8 x 4 x 2 points, natural labels, a bit reversal of ranks, 2 stages");
  EXPECT_EQ(describe(BinaryExchange({4, 8, 2, half, output_reversed})),
            "half exchange of 8 x 4 x 2 points, labels reversed in the output, 2 stages");
}

}  // namespace
}  // namespace cubefold::fft
