#include "text/known_names.hpp"

#include <gtest/gtest.h>

namespace {

using cubefold::nearest_name;
using cubefold::unknown_name;

const std::vector<std::string_view> commands{"map",  "verify",   "lcc",      "routes",
                                             "plan", "simulate", "wormhole", "draw"};

TEST(NearestName, forgives_one_letter_and_two_neighbours_the_wrong_way_round) {
  for (const char* typed : {"mpa", "mp", "maps", "man", "ma", "MAP"})
    EXPECT_EQ(nearest_name(typed, commands), "map") << typed;
}

TEST(NearestName, forgives_a_third_of_the_letters) {
  EXPECT_EQ(nearest_name("simlate", commands), "simulate");
  EXPECT_EQ(nearest_name("smulat", commands), "simulate");
  EXPECT_EQ(nearest_name("worhmoel", commands), "wormhole");
  EXPECT_EQ(nearest_name("smuat", commands), std::nullopt);
  EXPECT_EQ(nearest_name("fold", commands), std::nullopt);
  EXPECT_EQ(nearest_name("", commands), std::nullopt);
}

TEST(NearestName, takes_the_nearest_and_of_equals_the_first) {
  EXPECT_EQ(nearest_name("routs", {"roots", "routes"}), "roots");
  EXPECT_EQ(nearest_name("routez", {"roots", "routes"}), "routes");
}

TEST(NearestName, knows_the_only_name_that_begins_so) {
  EXPECT_EQ(nearest_name("sim", commands), "simulate");
  EXPECT_EQ(nearest_name("worm", commands), "wormhole");
  EXPECT_EQ(nearest_name("w", commands), std::nullopt);
  EXPECT_EQ(nearest_name("axis", {"axis-rotated", "axis-aligned"}), std::nullopt);
}

TEST(NearestName, does_not_look_at_what_nobody_types) {
  EXPECT_EQ(nearest_name(std::string(1 << 20, 'x'), commands), std::nullopt);
}

TEST(UnknownName, lists_the_names_after_the_guess) {
  EXPECT_EQ(unknown_name("tie", "balancd", {"positive", "balanced"}),
            "unknown tie 'balancd'; did you mean 'balanced'? known: positive, balanced");
  EXPECT_EQ(unknown_name("tie", "up", {"positive", "balanced"}),
            "unknown tie 'up'; known: positive, balanced");
}

}  // namespace
