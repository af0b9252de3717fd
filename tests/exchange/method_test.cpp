#include "cubefold/exchange/method.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "exchange/mixed_radix.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

std::string names() {
  std::string text;
  for (const auto& info : exchange_algorithms()) text += (text.empty() ? "" : ", ") + std::string(info.name);
  return text;
}

TEST(ExchangeMethodText, is_read_as_it_is_written) {
  for (const char* grid : {"hypercube:4", "torus:16x8", "mesh:3x5"}) {
    for (const auto& method : exchange_methods(parse_grid(grid))) {
      EXPECT_EQ(parse_exchange_method(to_string(method)), method) << to_string(method);
    }
  }
  EXPECT_EQ(parse_exchange_method("cc-cube:8"), (ExchangeMethod{ExchangeAlgorithm::cc_cube, {8}}));
  EXPECT_EQ(parse_exchange_method("mixed-radix:4-2"),
            (ExchangeMethod{ExchangeAlgorithm::mixed_radix, {4, 2}}));
  EXPECT_EQ(to_string({ExchangeAlgorithm::mixed_radix, {4, 2}}), "mixed-radix:4-2");
}

TEST(ExchangeMethodText, is_refused_with_what_there_is) {
  const auto complaint = [](const char* text) { return message_of([&] { parse_exchange_method(text); }); };
  EXPECT_EQ(complaint("fast"), "unknown exchange method 'fast'; known: " + names());
  EXPECT_EQ(complaint(""), "unknown exchange method ''; known: " + names());
  EXPECT_EQ(complaint("direct:2"), "exchange method 'direct:2': direct takes no number");
  EXPECT_EQ(complaint("hybrid"), "exchange method 'hybrid': hybrid takes one number, as hybrid:4");
  EXPECT_EQ(complaint("bruck"), "exchange method 'bruck': bruck takes one number, as bruck:4");
  EXPECT_EQ(complaint("hybrid:4-2"), "exchange method 'hybrid:4-2': hybrid takes one number, as hybrid:4");
  EXPECT_EQ(complaint("cc-cube:4-2"),
            "exchange method 'cc-cube:4-2': cc-cube takes no number or one, as cc-cube, cc-cube:8");
  EXPECT_EQ(complaint("cc-cube:0"), "exchange method 'cc-cube:0': 0 is below 1");
  EXPECT_EQ(complaint("mixed-radix"),
            "exchange method 'mixed-radix': mixed-radix takes numbers, as mixed-radix:4-2");
  for (const char* text :
       {"mixed-radix:", "mixed-radix:4-", "mixed-radix:4,2", "mixed-radix:-4", "mixed-radix:99999999999"}) {
    EXPECT_NE(complaint(text).find("is no list of numbers as 4-2"), std::string::npos) << text;
  }
}

TEST(ExchangeMethodText, of_a_method_without_a_name_is_refused) {
  EXPECT_THROW(to_string(ExchangeMethod{static_cast<ExchangeAlgorithm>(99), {}}), std::invalid_argument);
}

std::vector<std::string> methods_on(const char* grid) {
  std::vector<std::string> texts;
  for (const auto& method : exchange_methods(parse_grid(grid))) texts.push_back(to_string(method));
  return texts;
}

bool has(const std::vector<std::string>& texts, const std::string& text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

TEST(ExchangeMethods, have_radices_up_to_the_largest_that_is_worth_comparing) {
  const auto methods = methods_on("torus:16x4");
  for (const char* text : {"bruck:2", "bruck:4", "bruck:8", "bruck:16", "hybrid:4", "hybrid:8"})
    EXPECT_TRUE(has(methods, text)) << text;
  for (const char* text : {"bruck:32", "hybrid:2", "hybrid:16"}) EXPECT_FALSE(has(methods, text)) << text;
}

TEST(ExchangeMethods, leave_out_those_that_need_halves_if_an_extent_is_no_power_of_two) {
  const auto on_powers_of_two_only = {"cc-cube",           "binary", "quadrant",
                                      "modified-quadrant", "cyclic", "hybrid:4"};
  for (const char* text : on_powers_of_two_only) {
    EXPECT_TRUE(has(methods_on("mesh:8x4"), text)) << text;
    EXPECT_FALSE(has(methods_on("mesh:3x4"), text)) << text;
  }
  for (const char* text : {"direct", "axes", "axis-rotated", "store-and-forward", "bruck:8", "linear"})
    EXPECT_TRUE(has(methods_on("mesh:3x4"), text)) << text;
}

TEST(ExchangeMethods, leave_out_those_that_run_on_request_only) {
  for (const char* grid : {"torus:16x4", "mesh:3x4"}) {
    for (const auto& method : exchange_methods(parse_grid(grid))) {
      EXPECT_NE(method.algorithm, ExchangeAlgorithm::mixed_radix) << grid;
      EXPECT_NE(method.algorithm, ExchangeAlgorithm::shifted) << grid;
    }
  }
}

TEST(ComparedMethods, leave_out_what_was_never_the_fastest) {
  std::vector<std::string> texts;
  for (const auto& method : compared_methods(parse_grid("torus:8x4"))) texts.push_back(to_string(method));
  EXPECT_EQ(texts, (std::vector<std::string>{"direct", "axes", "axis-rotated", "store-and-forward", "bruck:2",
                                             "bruck:4", "bruck:8", "bruck:16", "linear", "swing",
                                             "modified-quadrant"}));
}

TEST(ExchangeMethods, leave_out_what_takes_long_to_plan_on_long_axes_of_other_extents) {
  const auto has_direct = [](const char* grid) {
    const auto methods = exchange_methods(parse_grid(grid));
    return std::find(methods.begin(), methods.end(), ExchangeMethod{ExchangeAlgorithm::direct, {}}) !=
           methods.end();
  };
  EXPECT_TRUE(has_direct("ring:255"));
  EXPECT_TRUE(has_direct("mesh:4096x3"));
  EXPECT_FALSE(has_direct("ring:257"));
  EXPECT_FALSE(has_direct("torus:2x4095"));
}

TEST(ExchangeSchedule, is_that_of_the_phases) {
  const Placement placement(parse_grid("grid:4wx8"), parse_placement("xor"));
  const NetworkRules rules{Ports::all, Tie::balanced};
  const auto schedule = [&](const char* text) {
    return exchange_schedule(parse_exchange_method(text), placement, rules);
  };
  const auto phases = [&](const std::vector<RadixPhase>& list) {
    return mixed_radix_parts(placement, list, Ports::all, Tie::balanced).whole();
  };
  const Grid& grid = placement.grid();
  EXPECT_EQ(schedule("direct"), phases({whole_digits(grid)}));
  EXPECT_EQ(schedule("axes"), phases(axis_phases(grid)));
  EXPECT_EQ(schedule("mixed-radix:4-2"), phases(coarse_to_fine(grid, {4, 2})));
  EXPECT_EQ(schedule("binary"), phases(binary_phases(grid)));
  EXPECT_EQ(schedule("quadrant"), phases(quadrant_phases(grid)));
  EXPECT_EQ(schedule("modified-quadrant"), phases(modified_quadrant_phases(grid)));
  EXPECT_EQ(schedule("cyclic"), phases(cyclic_phases(grid)));
  EXPECT_EQ(schedule("hybrid:4"), phases(hybrid_phases(grid, 4)));
}

TEST(ExchangeSchedule, names_what_does_not_fit_the_grid) {
  const Placement placement(parse_grid("mesh:3x5"), parse_placement("identity"));
  const auto complaint = [&](const char* text) {
    return message_of([&] { exchange_part(parse_exchange_method(text), placement, {}, Rank{0}); });
  };
  EXPECT_EQ(complaint("binary"), "binary_phases: extent 3 is no power of two");
  EXPECT_EQ(complaint("cc-cube"), "mesh:3x5 has 15 nodes; a hypercube needs a power of two");
  EXPECT_EQ(complaint("mixed-radix:2"), "coarse_to_fine: radix 2 does not divide 3, what is left of an axis");
}

}  // namespace
}  // namespace cubefold
