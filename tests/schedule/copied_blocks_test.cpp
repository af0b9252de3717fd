// Counts what a process copies for each block that is delivered to it.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "cubefold/exchange/method.hpp"
#include "exchange/copies_per_block.hpp"
#include "schedule/packing.hpp"

namespace cubefold {
namespace {

double copies_per_block(const char* method, const char* grid, Ports ports) {
  const Placement placement(parse_grid(grid), parse_placement("identity"));
  return copies_per_block(parse_exchange_method(method), placement, {ports, Tie::balanced});
}

struct CopiesRow {
  const char* method;
  const char* copies;  ///< on each of counted_grids
};

constexpr const char* counted_grids[] = {"ring:8",      "torus:8x8",   "torus:4x4x4",
                                         "torus:8x8x8", "hypercube:6", "torus:6x5x4"};

std::string copies_on_counted_grids(const char* method, Ports ports) {
  std::string copies;
  for (const char* grid : counted_grids) {
    const auto methods = exchange_methods(parse_grid(grid));
    const bool fits =
        std::find(methods.begin(), methods.end(), parse_exchange_method(method)) != methods.end();
    copies += fits ? fmt::format("{:6.2f}", copies_per_block(method, grid, ports)) : "     -";
  }
  return copies;
}

TEST(CopiedBlocks, of_each_block_delivered_with_all_ports) {
  const CopiesRow rows[] = {
      //                     ring:8   8x8 4x4x4 8x8x8 cube:6 6x5x4
      {"direct", /*       */ "  0.00  0.00  0.00  0.00  0.00  0.00"},
      {"axis-rotated", /* */ "  0.00  1.89  3.29  3.63  3.84  3.40"},
      {"axes", /*         */ "  0.00  1.89  2.52  2.75  3.79  2.65"},
      {"cc-cube", /*      */ "  2.14  3.79  3.79  6.54  3.79     -"},
      {"bruck:2", /*      */ "  2.36  4.04  4.04  6.73  4.04  4.68"},
      {"store-and-forward", "  1.36  5.00  3.79  8.92  3.79  5.11"},
  };
  for (const CopiesRow& row : rows)
    EXPECT_EQ(copies_on_counted_grids(row.method, Ports::all), row.copies) << row.method;
}

TEST(CopiedBlocks, are_none_in_single_blocks) {
  for (const char* name : {"line:8", "torus:4x4", "hypercube:4", "torus:3x5x2"}) {
    const Placement placement(parse_grid(name), parse_placement("identity"));
    for (const auto& method : exchange_methods(placement.grid())) {
      const Schedule part = exchange_part(method, placement, {}, Rank{1});
      const CopiedBlocks copied = copied_blocks(local_program(in_single_blocks(part), Rank{1}));
      EXPECT_EQ(copied.own, 1U);
      EXPECT_EQ(copied.forwarded(), 0U) << name << ' ' << to_string(method);
    }
  }
}

TEST(CopiedBlocks, are_none_where_each_block_travels_once_and_alone) {
  for (const char* name : {"line:8", "ring:7", "mesh:4x4", "torus:3x5", "hypercube:4", "torus:3x3x2"}) {
    for (const char* method : {"direct", "linear", "shifted"}) {
      for (const Ports ports : {Ports::one, Ports::all})
        EXPECT_EQ(copies_per_block(method, name, ports), 0) << name << ' ' << method;
    }
  }
}

TEST(CopiedBlocks, are_all_blocks_of_a_message_whose_blocks_are_apart) {
  const LocalProgram program{8,
                             1,
                             0,
                             {{0, Rank{1}, 3, 0, 1, 0}, {0, Rank{2}, 4, 1, 2, 0}},
                             {{0, Rank{1}, 5, 3, 2, 0}, {0, Rank{1}, 1, 5, 1, 0}},
                             {{Area::send, 1, 3},
                              {Area::send, 4, 3},
                              {Area::scratch, 0, 1},
                              {Area::scratch, 0, 4},
                              {Area::receive, 4, 1},
                              {Area::receive, 1, 1}},
                             {{0, 0}, {1, 1}}};
  EXPECT_EQ(copied_blocks(program).own, 2U);
  EXPECT_EQ(copied_blocks(program).packed, 4U);
  EXPECT_EQ(copied_blocks(program).unpacked, 5U);
  EXPECT_EQ(copied_blocks(program, false).packed, 7U);
  EXPECT_EQ(copied_blocks(program, false).unpacked, 5U);
}

}  // namespace
}  // namespace cubefold
