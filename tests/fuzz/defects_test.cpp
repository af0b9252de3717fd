#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "fuzz/parser.hpp"

namespace cubefold::fuzz {
namespace {

std::string defect(void (*read)(std::string_view), Refusals refusals = Refusals::invalid_argument) {
  return defect_of({"a parser", read, refusals, 1000}, "0123456789").value_or("none");
}

TEST(DefectOf, takes_the_exceptions_of_the_parser_for_refusals) {
  EXPECT_EQ(defect([](std::string_view) {}), "none");
  EXPECT_EQ(defect([](std::string_view) { throw std::invalid_argument("no grid"); }), "none");
  EXPECT_EQ(defect([](std::string_view) { throw std::runtime_error("no file"); },
                   Refusals::invalid_argument_or_runtime_error),
            "none");
}

TEST(DefectOf, names_other_exceptions) {
  EXPECT_EQ(defect([](std::string_view) { throw std::runtime_error("no file"); }), "throws no file");
  EXPECT_EQ(defect([](std::string_view) { throw std::length_error("too long"); },
                   Refusals::invalid_argument_or_runtime_error),
            "throws too long");
  EXPECT_EQ(defect([](std::string_view) { require(false, "a property"); }), "throws a property");
  EXPECT_EQ(defect([](std::string_view) { throw 1; }), "throws something that is no exception");
  EXPECT_EQ(defect([](std::string_view) {
              read_back([](const std::string&) { throw std::invalid_argument("no grid"); }, "");
            }),
            "throws the library refuses what it wrote: no grid");
}

// 10 bytes of text may take 1000 bytes besides the constant of 1000.
TEST(DefectOf, names_more_memory_than_100_times_the_text_and_the_constant) {
  EXPECT_EQ(defect([](std::string_view) { std::vector<char>(1900).shrink_to_fit(); }), "none");
  EXPECT_EQ(defect([](std::string_view) { std::vector<char>(2100).shrink_to_fit(); }).substr(0, 8),
            "takes 21");
  EXPECT_EQ(defect([](std::string_view) {
              for (int i = 0; i < 10; ++i) std::make_unique<std::vector<char>>(1000);
            }),
            "none");
}

TEST(NamesCostlyNetwork, is_true_for_files_and_for_route_tables_of_more_than_16_nodes_or_4_switches) {
  for (const char* text : {"file:a", "hyperx:6x3", "torus:9x2,cut=0-1", "torus:9wx2~1",
                           "hypercube:5,without=3", R"({"network": "hyperx:17"})", "ring:5,hosts=2",
                           "ring:3,hosts=10", "ring:3,hosts=1-10-1", "hyperx:32x32"})
    EXPECT_TRUE(names_costly_network(text)) << text;
  for (const char* text : {"", "torus:1024x1024", "hyperx:4x4", "torus:4x4,cut=0-1", "hypercube:4,without=3",
                           "~", "torus:2x2,hosts=9", "ring:3,hosts=4-0-1", "hyperx:33x32",
                           "hypercube:11,without=3", "ring:99999,hosts=2"})
    EXPECT_FALSE(names_costly_network(text)) << text;
}

TEST(FuzzedParsers, are_found_by_name) {
  for (const FuzzedParser* parser : fuzzed_parsers()) EXPECT_EQ(parser_named(parser->name), parser);
  EXPECT_EQ(parser_named("no parser"), nullptr);
}

}  // namespace
}  // namespace cubefold::fuzz
