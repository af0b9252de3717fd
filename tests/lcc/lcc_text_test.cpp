#include "lcc/lcc_text.hpp"

#include <gtest/gtest.h>

#include "cubefold/lcc/pattern.hpp"
#include "support/message_of.hpp"
#include "support/random_lcc.hpp"

namespace cubefold {
namespace {

TEST(ParseLcc, reads_rows_bits_and_comments) {
  const auto lcc = parse_lcc(R"(# y_0 = x_1, y_1 = x_0 + x_2 + 1, y_2 = x_2
010
  101 1  # here
011	0

)");
  EXPECT_EQ(lcc, Lcc(BitMatrix::of_columns({0b010, 0b101, 0b110}), 0b010));
}

TEST(ParseLcc, reads_a_scatter) {
  EXPECT_EQ(parse_lcc("scatter\r\n01\r\n00 1"),
            Lcc(BitMatrix::of_columns({0b00, 0b01}), 0b10, Gives::source));
}

TEST(ParseLcc, reads_the_printed_matrix_of_the_2x_zoom) {
  const auto zoom = parse_lcc(R"(scatter
01000000
00100000
00010000
00000000
00000100
00000010
00000001
00000000)");
  EXPECT_EQ(zoom, parse_pattern("zoom:16x16", 8));  // [Lcc] section 5, example 5
}

TEST(ParseLcc, reads_back_what_is_written) {
  std::mt19937_64 generator(50);
  for (int bits = 1; bits <= 64; ++bits) {
    for (const auto wanted : all_kinds) {
      const auto lcc = random_lcc(bits, wanted, generator);
      EXPECT_EQ(parse_lcc(to_string(lcc)), lcc);
    }
  }
}

TEST(ParseLcc, names_the_line_and_the_rule_that_it_breaks) {
  const auto complaint = [](const std::string& text) { return message_of([&] { parse_lcc(text); }); };
  EXPECT_EQ(complaint(""), "line 1: the text ends without a row");
  EXPECT_EQ(complaint("# nothing\n\n"), "line 2: the text ends without a row");
  EXPECT_EQ(complaint("10\n"), "line 1: the text ends after 1 of 2 rows");
  EXPECT_EQ(complaint("10\n01\n\n11\n"), "line 4: more than 2 rows of 2 columns");
  EXPECT_EQ(complaint("10\n011\n"), "line 2: 3 columns where the first row has 2");
  EXPECT_EQ(complaint("10\n0\n"), "line 2: 1 columns where the first row has 2");
  EXPECT_EQ(complaint("1o\n01\n"), "line 1: 'o' is neither 0 nor 1");
  EXPECT_EQ(complaint("10 2\n01\n"), "line 1: '2' is neither 0 nor 1");
  EXPECT_EQ(complaint("10 01\n01\n"), "line 1: '01' behind the row is not one bit");
  EXPECT_EQ(complaint("10\nscatter\n01\n"), "line 2: 'scatter' stands once, ahead of the rows");
  EXPECT_EQ(complaint("scatter\nscatter\n1\n"), "line 2: 'scatter' stands once, ahead of the rows");
  EXPECT_EQ(complaint(std::string(65, '0')), "line 1: 65 columns are more than 64");
}

}  // namespace
}  // namespace cubefold
