#include "cubefold/plan/phase.hpp"

#include <gtest/gtest.h>

#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "cubefold/lcc/pattern.hpp"

namespace cubefold {
namespace {

std::vector<std::string> names(const std::vector<Phase>& phases) {
  std::vector<std::string> result;
  for (const Phase& phase : phases) result.push_back(phase.name);
  return result;
}

std::string complaint(const std::string& text, std::size_t rank_count) {
  try {
    parse_phases(text, rank_count);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "none";
}

TEST(Phase, cube_is_one_phase_per_dimension) {
  const auto phases = parse_phase("cube", 16);
  EXPECT_EQ(names(phases), (std::vector<std::string>{"cube:0", "cube:1", "cube:2", "cube:3"}));
  for (std::size_t i = 0; i < phases.size(); ++i) {
    ASSERT_EQ(phases[i].traffic.size(), 16U);
    for (const Traffic& sent : phases[i].traffic) {
      EXPECT_EQ(sent.to, neighbour(sent.from, static_cast<int>(i)));
      EXPECT_EQ(sent.messages, 1);
    }
  }
}

TEST(Phase, of_a_cube_may_be_some_dimensions_and_have_a_weight) {
  EXPECT_EQ(names(parse_phase("cube:1-2", 16)), (std::vector<std::string>{"cube:1", "cube:2"}));
  EXPECT_EQ(names(parse_phase("cube:3", 16)), (std::vector<std::string>{"cube:3"}));
  for (const Phase& phase : parse_phase("cube:1-2*0.5", 16)) EXPECT_EQ(phase.weight, 0.5);
}

// In transpose:AxB, rank i*B+j sends to rank j*A+i.
TEST(Phase, transpose_takes_matrices_of_any_shape) {
  const auto phase = parse_phase("transpose:3x5", 15).at(0);
  EXPECT_EQ(phase.traffic.size(), 12U);  // ranks 0, 7 and 14 send nothing, as 5 i + j = 3 j + i
  for (const auto& [from, to, messages] : phase.traffic) {
    EXPECT_EQ(label(to), label(from) % 5 * 3 + label(from) / 5);
  }
}

TEST(Phase, transpose_is_the_pattern_of_that_name) {
  for (const char* text : {"transpose:8x8", "transpose:2x32", "transpose:16x4"}) {
    EXPECT_EQ(parse_phase(text, 64).at(0).traffic, phase_of(parse_pattern(text, 6), text).traffic) << text;
  }
}

TEST(Phase, transpose_without_a_shape_is_of_the_square_or_else_of_the_grid) {
  const Grid grid({12, 10}, Ends::wrapped);
  const auto shaped = parse_phase("transpose:12x10*3", 120).at(0);
  const auto plain = parse_phase("transpose*3", 120, &grid).at(0);
  EXPECT_EQ(plain.name, "transpose:12x10");
  EXPECT_EQ(plain.weight, 3);
  EXPECT_EQ(plain.traffic, shaped.traffic);
  EXPECT_EQ(names(parse_phase("transpose", 36)), (std::vector<std::string>{"transpose:6x6"}));
  EXPECT_EQ(names(parse_phase("transpose", 64, &grid)), (std::vector<std::string>{"transpose"}));
  EXPECT_EQ(complaint("transpose", 120),
            "phase 'transpose': 120 ranks make no square; say transpose:ROWSxCOLUMNS");
}

TEST(Phase, of_every_pattern_can_be_named) {
  for (const auto& name : pattern_names()) {
    const auto phases = parse_phase(name + "*3", 64);
    ASSERT_EQ(phases.size(), 1U) << name;
    EXPECT_EQ(phases[0].name, name);
    EXPECT_EQ(phases[0].weight, 3);
    EXPECT_EQ(phases[0].traffic, phase_of(parse_pattern(name, 6), name).traffic);
  }
}

/// Returns which part of its points every rank sends to every other rank when an FFT of 2^(n+2s) points on 2^n ranks
/// goes from block-cyclic to block distribution. Goes through all points.
std::map<std::pair<std::size_t, std::size_t>, double> moved_points(int n, int s) {
  std::map<std::pair<std::size_t, std::size_t>, double> moved;
  const std::size_t rank_count = std::size_t{1} << n;
  for (std::size_t point = 0; point < rank_count << (2 * s); ++point) {
    const std::size_t from = (point >> s) % rank_count;
    const std::size_t to = point >> (2 * s);
    if (from != to) moved[{from, to}] += 1 / static_cast<double>(std::size_t{1} << (2 * s));
  }
  return moved;
}

TEST(Phase, of_a_redistribution_is_what_every_point_of_an_fft_has_to_do) {
  for (int n = 0; n <= 4; ++n) {
    for (int s = 0; s <= 5; ++s) {
      const auto forth = parse_phase("block-cyclic-to-block:" + std::to_string(s), std::size_t{1} << n);
      const auto back = parse_phase("block-to-block-cyclic:" + std::to_string(s), std::size_t{1} << n);
      std::map<std::pair<std::size_t, std::size_t>, double> sent;
      std::map<std::pair<std::size_t, std::size_t>, double> returned;
      for (const Traffic& t : forth.at(0).traffic) sent[{label(t.from), label(t.to)}] += t.messages;
      for (const Traffic& t : back.at(0).traffic) returned[{label(t.to), label(t.from)}] += t.messages;
      EXPECT_EQ(sent, moved_points(n, s)) << n << ' ' << s;
      EXPECT_EQ(returned, sent) << n << ' ' << s;
    }
  }
}

TEST(Phase, leaves_out_what_ranks_send_themselves) {
  const auto phase = parse_phase("bit-reversal", 64).at(0);
  for (const Traffic& sent : phase.traffic) EXPECT_NE(sent.from, sent.to);
  EXPECT_EQ(phase.traffic.size(), 56U);
}

TEST(Phase, of_a_single_rank_sends_nothing) {
  for (const char* text : {"bit-reversal", "transpose", "transpose:1x1", "zoom", "block-cyclic-to-block:2"}) {
    const auto phases = parse_phase(text, 1);
    ASSERT_EQ(phases.size(), 1U) << text;
    EXPECT_TRUE(phases[0].traffic.empty()) << text;
  }
  EXPECT_TRUE(parse_phase("cube", 1).empty());
}

TEST(Phases, are_joined_by_plus) {
  EXPECT_EQ(names(parse_phases("cube:0-1+transpose:8x8*2+shuffle", 64)),
            (std::vector<std::string>{"cube:0", "cube:1", "transpose:8x8", "shuffle"}));
}

TEST(Phases, that_make_no_sense_are_refused_with_the_text_and_the_rule) {
  EXPECT_EQ(complaint("cube", 12), "phase 'cube': 12 ranks are no power of two");
  EXPECT_EQ(complaint("cube:4", 16), "phase 'cube:4': dimension 4 is not in 0 .. 3");
  EXPECT_EQ(complaint("cube:2-1", 16), "phase 'cube:2-1': dimension 1 comes before 2");
  EXPECT_EQ(complaint("cube:x", 16), "phase 'cube:x': 'x' is not a number");
  EXPECT_EQ(complaint("cube*two", 16), "phase 'cube*two': 'two' is not a number");
  EXPECT_EQ(complaint("cube*-1", 16), "phase 'cube*-1': weight -1 is neither 0 nor between 1e-30 and 1e30");
  EXPECT_EQ(complaint("cube*inf", 16),
            "phase 'cube*inf': weight inf is neither 0 nor between 1e-30 and 1e30");
  EXPECT_EQ(complaint("transpose:3x4", 16), "phase 'transpose:3x4': 3 x 4 are 12 ranks, not 16");
  EXPECT_EQ(complaint("transpose:16", 16), "phase 'transpose:16': '16' is not ROWSxCOLUMNS");
  EXPECT_EQ(complaint("cube:0", 1), "phase 'cube:0': a single rank has no dimensions");
  EXPECT_EQ(complaint("nonsense*2", 16),
            "phase 'nonsense*2': unknown name 'nonsense'; known: cube, halo, alltoall, ring, allreduce, "
            "reduce-scatter, allgather, "
            "block-cyclic-to-block, block-to-block-cyclic, bit-reversal, reverse-flip, shuffle, unshuffle, "
            "exchange, complement, "
            "transpose, reflect-antidiagonal, rotate-clockwise, rotate-counterclockwise, rotate-180, "
            "reflect-left-right, reflect-top-bottom, zoom, bit-reversal-in-rows, bit-reversal-in-columns");
  EXPECT_NE(complaint("cube+", 16), "none");
}

}  // namespace
}  // namespace cubefold
