#include "cubefold/embedding/placement_rule.hpp"

#include <gtest/gtest.h>

#include <string>

#include "support/message_of.hpp"

namespace cubefold {
namespace {

TEST(ParsePlacement, reads_embedding_bit_assignment_and_order) {
  EXPECT_EQ(parse_placement("identity"), PlacementRule{});
  EXPECT_EQ(parse_placement("standard"), (PlacementRule{{Embedding::standard}, BitAssignment::blocked, {}}));
  EXPECT_EQ(parse_placement("xor,bits=cyclic"),
            (PlacementRule{{Embedding::xor_}, BitAssignment::cyclic, {}}));
  EXPECT_EQ(parse_placement("xor,bits=blocked"),
            (PlacementRule{{Embedding::xor_}, BitAssignment::blocked, {}}));
  EXPECT_EQ(parse_placement("gray,order=0-3-1-4-2-5"),
            (PlacementRule{{Embedding::gray}, BitAssignment::blocked, {0, 3, 1, 4, 2, 5}}));
  EXPECT_EQ(parse_placement("by-weight,order=1-0,bits=cyclic"),
            (PlacementRule{{Embedding::by_weight}, BitAssignment::cyclic, {1, 0}}));
}

TEST(ParsePlacement, reads_embeddings_axis_by_axis_and_the_axis_of_each_bit) {
  EXPECT_EQ(parse_placement("xor/standard/gray"),
            (PlacementRule{{Embedding::xor_, Embedding::standard, Embedding::gray}}));
  PlacementRule rule{{Embedding::xor_}};
  rule.axis_of_bit = {0, 1, 0, 12};
  EXPECT_EQ(parse_placement("xor,bits=0-1-0-12"), rule);
}

TEST(ParsePlacement, reads_a_table_of_nodes) {
  PlacementRule rule;
  rule.nodes = {GridNode{2}, GridNode{0}, GridNode{1}};
  EXPECT_EQ(parse_placement("nodes=2-0-1"), rule);
}

TEST(ParsePlacement, names_the_text_and_the_rule_that_it_breaks) {
  const auto complaint = [](const char* text) { return message_of([&] { parse_placement(text); }); };
  EXPECT_EQ(complaint("xro"),
            "placement 'xro': unknown embedding 'xro'; did you mean 'xor'? known: identity, standard, xor, "
            "by-weight, gray");
  EXPECT_EQ(complaint(""),
            "placement '': unknown embedding ''; known: identity, standard, xor, by-weight, gray");
  EXPECT_EQ(complaint("xor//gray"),
            "placement 'xor//gray': unknown embedding ''; known: identity, standard, xor, by-weight, gray");
  const std::string known = "; known: bits=blocked, bits=cyclic, bits=0-1-0, order=0-1-2";
  EXPECT_EQ(complaint("xor,"), "placement 'xor,': unknown option ''" + known);
  EXPECT_EQ(complaint("xor,order=1-0,"), "placement 'xor,order=1-0,': unknown option ''" + known);
  EXPECT_EQ(complaint("xor,nodes=1-0"), "placement 'xor,nodes=1-0': unknown option 'nodes=1-0'" + known);
  EXPECT_EQ(complaint("xor,bits=odd"), "placement 'xor,bits=odd': 'odd' in the bits is no axis number");
  EXPECT_EQ(complaint("xor,bits=0--1"), "placement 'xor,bits=0--1': '' in the bits is no axis number");
  EXPECT_EQ(complaint("xor,bits=cyclic,bits=0-1"),
            "placement 'xor,bits=cyclic,bits=0-1': 'bits' is said twice");
  EXPECT_EQ(complaint("nodes="), "placement 'nodes=': '' in the table of nodes is no node number");
  EXPECT_EQ(complaint("nodes=0-3-1"),
            "placement 'nodes=0-3-1': the table of nodes is no permutation of 0 to 2: node 2 is missing");
  EXPECT_EQ(complaint("nodes=0-4294967296"),
            "placement 'nodes=0-4294967296': '4294967296' in the table of nodes is no node number");
  EXPECT_EQ(complaint("nodes=1-0,order=0"),
            "placement 'nodes=1-0,order=0': '0,order=0' in the table of nodes is no node number");
  EXPECT_EQ(complaint("xor,order=0-2"),
            "placement 'xor,order=0-2': the order is no permutation of 0 to 1: bit 1 is missing");
  EXPECT_EQ(complaint("xor,order=0-0"),
            "placement 'xor,order=0-0': the order is no permutation of 0 to 1: bit 1 is missing");
  EXPECT_EQ(complaint("xor,order=0-x"), "placement 'xor,order=0-x': 'x' in the order is no bit number");
  EXPECT_EQ(complaint("xor,order="), "placement 'xor,order=': '' in the order is no bit number");
}

TEST(PlacementText, is_read_back_as_the_same_rule) {
  for (const char* text :
       {"identity", "standard", "xor", "by-weight", "gray", "identity,bits=cyclic",
        "xor,bits=cyclic,order=0-3-1-4-2-5", "standard,order=2-1-0", "xor/standard/gray",
        "by-weight/xor,bits=0-1-0-1", "gray/gray,bits=1-0-0,order=2-1-0", "nodes=0", "nodes=3-1-0-2-5-4"}) {
    EXPECT_EQ(to_string(parse_placement(text)), text);
  }
}

}  // namespace
}  // namespace cubefold
