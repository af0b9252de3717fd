#include "cubefold/lcc/pattern.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>

#include "lcc/lcc_text.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

using Destination = std::function<std::uint32_t(std::uint32_t)>;

std::uint32_t reversed(std::uint32_t x, int bits) {
  std::uint32_t result = 0;
  for (int i = 0; i < bits; ++i) result = 2 * result + ((x >> i) & 1);
  return result;
}

/// Checks that every rank x sends only to expected(x), as the documentation says.
void expect_destinations(const std::string& text, int bits, const Destination& expected) {
  const auto lcc = parse_pattern(text, bits);
  for (std::uint32_t x = 0; x < (1U << bits); ++x) {
    EXPECT_EQ(destinations(lcc, static_cast<Rank>(x)), std::vector<Rank>{static_cast<Rank>(expected(x))})
        << text << " of " << bits << " bits, rank " << x;
  }
}

TEST(Pattern, without_an_argument_is_as_documented_for_every_number_of_bits) {
  for (int n = 1; n <= 9; ++n) {
    const std::uint32_t last = (1U << n) - 1;
    expect_destinations("bit-reversal", n, [&](auto x) { return reversed(x, n); });
    expect_destinations("reverse-flip", n, [&](auto x) { return last - reversed(x, n); });
    expect_destinations("shuffle", n, [&](auto x) { return x == last ? last : 2 * x % last; });
    expect_destinations("unshuffle", n, [&](auto x) { return x / 2 + x % 2 * (last + 1) / 2; });
    expect_destinations("exchange", n, [&](auto x) { return x ^ 1; });
    expect_destinations("complement", n, [&](auto x) { return last - x; });
    for (int i = 0; i < n; ++i) {
      expect_destinations("exchange:" + std::to_string(i), n, [&](auto x) { return x ^ (1U << i); });
    }
  }
}

TEST(Pattern, of_an_image_moves_pixels_as_documented_for_every_shape) {
  for (int bits = 1; bits <= 7; ++bits) {
    for (int row_bits = 0; row_bits <= bits; ++row_bits) {
      const std::uint32_t rows = 1U << row_bits;
      const std::uint32_t columns = 1U << (bits - row_bits);
      const auto expect = [&](const std::string& name, std::uint32_t new_columns, auto row, auto column) {
        expect_destinations(name + ":" + std::to_string(rows) + "x" + std::to_string(columns), bits,
                            [&](auto x) {
                              const auto r = x / columns;
                              const auto c = x % columns;
                              return row(r, c) * new_columns + column(r, c);
                            });
      };
      const auto same_row = [](auto r, auto) { return r; };
      const auto same_column = [](auto, auto c) { return c; };
      const auto row_from_below = [&](auto r, auto) { return rows - 1 - r; };
      const auto column_from_the_right = [&](auto, auto c) { return columns - 1 - c; };
      expect("transpose", rows, same_column, same_row);
      expect("reflect-antidiagonal", rows, column_from_the_right, row_from_below);
      expect("rotate-clockwise", rows, same_column, row_from_below);
      expect("rotate-counterclockwise", rows, column_from_the_right, same_row);
      expect("rotate-180", columns, row_from_below, column_from_the_right);
      expect("reflect-left-right", columns, same_row, column_from_the_right);
      expect("reflect-top-bottom", columns, row_from_below, same_column);
      expect("bit-reversal-in-rows", columns, same_row,
             [&](auto, auto c) { return reversed(c, bits - row_bits); });
      expect(
          "bit-reversal-in-columns", columns, [&](auto r, auto) { return reversed(r, row_bits); },
          same_column);
    }
  }
}

TEST(Pattern, zoom_sends_every_pixel_of_the_first_quarter_to_the_four_that_it_becomes) {
  const auto zoom = parse_pattern("zoom:8x16", 7);
  EXPECT_EQ(kind(zoom), LccKind::scatter);
  for (std::uint32_t row = 0; row < 8; ++row) {
    for (std::uint32_t column = 0; column < 16; ++column) {
      auto found = destinations(zoom, static_cast<Rank>(row * 16 + column));
      std::sort(found.begin(), found.end());
      std::vector<Rank> expected;
      for (const std::uint32_t r : {2 * row, 2 * row + 1}) {
        for (const std::uint32_t c : {2 * column, 2 * column + 1}) {
          if (row < 4 && column < 8) expected.push_back(static_cast<Rank>(r * 16 + c));
        }
      }
      EXPECT_EQ(found, expected);
    }
  }
}

/// Returns the communication with a matrix and a vector b as [Lcc] prints them. `b` begins with b_0.
Lcc printed(const std::vector<std::string>& rows, const std::string& b) {
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) text += rows[i] + ' ' + b[i] + '\n';
  return parse_lcc(text);
}

// The source is [Lcc] section 5, example 5. A pixel (px, py) is on rank py * 16 + px. The matrix of the transpose is
// also in example 3.
TEST(Pattern, has_the_matrices_and_complements_of_the_printed_example) {
  const std::vector<std::string> transpose{"00001000", "00000100", "00000010", "00000001",
                                           "10000000", "01000000", "00100000", "00010000"};
  const std::vector<std::string> identity{"10000000", "01000000", "00100000", "00010000",
                                          "00001000", "00000100", "00000010", "00000001"};
  const std::vector<std::string> rows_reversed{"00010000", "00100000", "01000000", "10000000",
                                               "00001000", "00000100", "00000010", "00000001"};
  const std::vector<std::string> columns_reversed{"10000000", "01000000", "00100000", "00010000",
                                                  "00000001", "00000010", "00000100", "00001000"};
  const auto pattern = [](const char* name) { return parse_pattern(name, 8); };
  EXPECT_EQ(pattern("transpose"), printed(transpose, "00000000"));
  EXPECT_EQ(pattern("reflect-antidiagonal"), printed(transpose, "11111111"));
  EXPECT_EQ(pattern("rotate-clockwise"), printed(transpose, "11110000"));
  EXPECT_EQ(pattern("rotate-counterclockwise"), printed(transpose, "00001111"));
  EXPECT_EQ(pattern("reflect-left-right"), printed(identity, "11110000"));
  EXPECT_EQ(pattern("reflect-top-bottom"), printed(identity, "00001111"));
  EXPECT_EQ(pattern("rotate-180"), printed(identity, "11111111"));
  EXPECT_EQ(pattern("bit-reversal-in-rows"), printed(rows_reversed, "00000000"));
  EXPECT_EQ(pattern("bit-reversal-in-columns"), printed(columns_reversed, "00000000"));
}

TEST(Pattern, without_a_shape_is_the_square) {
  for (const auto& name : pattern_names()) {
    if (name == "exchange") continue;
    const auto plain = parse_pattern(name, 6);
    if (message_of([&] { parse_pattern(name + ":8x8", 6); }) != "nothing thrown") continue;
    EXPECT_EQ(parse_pattern(name + ":8x8", 6), plain) << name;
  }
}

TEST(Pattern, exists_for_every_name_up_to_64_bits) {
  for (const auto& name : pattern_names()) EXPECT_EQ(parse_pattern(name, 64).bit_count(), 64) << name;
  EXPECT_EQ(parse_pattern("exchange:63", 64).b(), std::uint64_t{1} << 63);
}

TEST(Pattern, of_a_single_rank_sends_to_itself) {
  for (const auto& name : pattern_names()) {
    if (name == "exchange") continue;  // there is no dimension
    EXPECT_EQ(parse_pattern(name, 0).bit_count(), 0) << name;
    EXPECT_EQ(messages(parse_pattern(name, 0)), (std::vector{SourceAndDestination{Rank{0}, Rank{0}}}));
  }
}

TEST(Pattern, names_the_text_and_the_rule_that_it_breaks) {
  const auto complaint = [](const char* text, int bits = 6) {
    return message_of([&] { parse_pattern(text, bits); });
  };
  EXPECT_EQ(complaint("bitreversal"),
            "pattern 'bitreversal': unknown name 'bitreversal'; did you mean 'bit-reversal'? known: "
            "bit-reversal, reverse-flip, shuffle, "
            "unshuffle, exchange, complement, transpose, reflect-antidiagonal, rotate-clockwise, "
            "rotate-counterclockwise, rotate-180, reflect-left-right, reflect-top-bottom, zoom, "
            "bit-reversal-in-rows, bit-reversal-in-columns");
  EXPECT_EQ(complaint("shuffle:3"), "pattern 'shuffle:3': shuffle takes nothing after its name");
  EXPECT_EQ(complaint("exchange:6"), "pattern 'exchange:6': dimension 6 is not below 6");
  EXPECT_EQ(complaint("exchange:x"), "pattern 'exchange:x': 'x' is not a number");
  EXPECT_EQ(complaint("exchange:"), "pattern 'exchange:': '' is not a number");
  EXPECT_EQ(complaint("transpose", 7),
            "pattern 'transpose': 2^7 ranks make no square; say transpose:ROWSxCOLUMNS");
  EXPECT_EQ(complaint("transpose:64"), "pattern 'transpose:64': '64' is not ROWSxCOLUMNS");
  EXPECT_EQ(complaint("transpose:8x9"), "pattern 'transpose:8x9': 9 is not a power of two");
  EXPECT_EQ(complaint("transpose:0x8"), "pattern 'transpose:0x8': 0 is not a power of two");
  EXPECT_EQ(complaint("transpose:8x-8"), "pattern 'transpose:8x-8': '-8' is not a number");
  EXPECT_EQ(complaint("zoom:8x16"), "pattern 'zoom:8x16': 8x16 are 2^7 ranks, not 2^6");
  EXPECT_EQ(complaint("shuffle", -1), "pattern 'shuffle': -1 bits are not in 0 .. 64");
  EXPECT_EQ(complaint("shuffle", 65), "pattern 'shuffle': 65 bits are not in 0 .. 64");
}

}  // namespace
}  // namespace cubefold
