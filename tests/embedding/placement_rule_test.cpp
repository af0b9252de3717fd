#include "cubefold/embedding/placement_rule.hpp"

#include <gtest/gtest.h>

#include "support/message_of.hpp"

namespace cubefold {
namespace {

TEST(ParsePlacement, reads_embedding_dealing_and_order) {
  EXPECT_EQ(parse_placement("identity"), PlacementRule{});
  EXPECT_EQ(parse_placement("standard"), (PlacementRule{Embedding::standard, BitDealing::blocked, {}}));
  EXPECT_EQ(parse_placement("xor,bits=cyclic"), (PlacementRule{Embedding::xor_, BitDealing::cyclic, {}}));
  EXPECT_EQ(parse_placement("xor,bits=blocked"), (PlacementRule{Embedding::xor_, BitDealing::blocked, {}}));
  EXPECT_EQ(parse_placement("gray,order=0-3-1-4-2-5"),
            (PlacementRule{Embedding::gray, BitDealing::blocked, {0, 3, 1, 4, 2, 5}}));
  EXPECT_EQ(parse_placement("by-weight,order=1-0,bits=cyclic"),
            (PlacementRule{Embedding::by_weight, BitDealing::cyclic, {1, 0}}));
}

TEST(ParsePlacement, names_the_text_and_the_rule_that_it_breaks) {
  const auto complaint = [](const char* text) { return message_of([&] { parse_placement(text); }); };
  EXPECT_EQ(complaint("xro"),
            "placement 'xro': unknown embedding 'xro'; known: identity, standard, xor, by-weight, gray");
  EXPECT_EQ(complaint(""),
            "placement '': unknown embedding ''; known: identity, standard, xor, by-weight, gray");
  EXPECT_EQ(
      complaint("xor,bits=odd"),
      "placement 'xor,bits=odd': unknown option 'bits=odd'; known: bits=blocked, bits=cyclic, order=0-1-2");
  EXPECT_EQ(complaint("xor,"),
            "placement 'xor,': unknown option ''; known: bits=blocked, bits=cyclic, order=0-1-2");
  EXPECT_EQ(complaint("xor,order=0-2"),
            "placement 'xor,order=0-2': the order is no permutation of 0 to 1: bit 1 is missing");
  EXPECT_EQ(complaint("xor,order=0-0"),
            "placement 'xor,order=0-0': the order is no permutation of 0 to 1: bit 1 is missing");
  EXPECT_EQ(complaint("xor,order=0-x"), "placement 'xor,order=0-x': 'x' in the order is not a bit number");
  EXPECT_EQ(complaint("xor,order="), "placement 'xor,order=': '' in the order is not a bit number");
}

TEST(PlacementText, is_read_back_as_the_same_rule) {
  for (const char* text : {"identity", "standard", "xor", "by-weight", "gray", "identity,bits=cyclic",
                           "xor,bits=cyclic,order=0-3-1-4-2-5", "standard,order=2-1-0"}) {
    EXPECT_EQ(to_string(parse_placement(text)), text);
  }
}

}  // namespace
}  // namespace cubefold
