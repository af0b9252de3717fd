#include "transform/program.hpp"

#include <gtest/gtest.h>

#include "transform/layouts.hpp"
#include "transform/programs.hpp"

namespace cubefold::fft {
namespace {

std::string complaint(const Program& program) {
  const auto fault = fault_of(program);
  return fault ? std::to_string(fault->stage) + ": " + fault->what : "none";
}

template <typename Kind>
Kind& stage_of(Program& program, std::size_t i) {
  return std::get<Kind>(program.stages[i]);
}

template <typename Break>
std::string broken(Program program, Break break_it) {
  EXPECT_EQ(complaint(program), "none");
  break_it(program);
  return complaint(program);
}

/// Returns the program of 64 points on 4 processes: exchange, transform, exchange, transform, exchange.
Program line() {
  return complex_program(64, 4);
}

TEST(FaultOf, finds_layouts_that_do_not_meet) {
  EXPECT_EQ(broken(line(), [](Program& p) { p.input = cyclic_layout(64, 4); }),
            "0: points come as [64 of 1, cyclic over axis 0] and are expected as [8 of 8, block over axis "
            "0][8 of 1]");
  EXPECT_EQ(broken(line(), [](Program& p) { p.stages.erase(p.stages.begin() + 2); }).substr(0, 2), "2:");
  EXPECT_EQ(broken(line(), [](Program& p) { p.stages.pop_back(); }).substr(0, 2), "4:");
  EXPECT_EQ(broken(line(), [](Program& p) { p.output = cyclic_layout(64, 4); }).substr(0, 2), "5:");
  EXPECT_EQ(broken(line(), [](Program& p) { p.stages.clear(); }), "0: no stages");
}

TEST(FaultOf, finds_real_points_where_complex_ones_are_expected) {
  const std::string what = "real numbers where complex ones are expected, or the reverse";
  EXPECT_EQ(broken(line(), [](Program& p) { p.input_kind = Kind::real; }), "0: " + what);
  EXPECT_EQ(broken(line(), [](Program& p) { p.output_kind = Kind::real; }), "5: " + what);
}

TEST(FaultOf, finds_transforms_of_spread_dimensions) {
  const auto spread_dimension = [](Program& p) {
    auto& stage = stage_of<TransformStage>(p, 1);
    stage.dimension = 1;
    stage.twiddle.reset();
  };
  EXPECT_EQ(broken(line(), spread_dimension), "1: dimension 1 is spread");
  EXPECT_EQ(broken(line(), [](Program& p) { stage_of<TransformStage>(p, 1).dimension = 2; }),
            "1: dimension 2 of 2");
}

TEST(FaultOf, finds_dimensions_that_change_during_a_transform) {
  EXPECT_EQ(broken(line(),
                   [](Program& p) {
                     stage_of<TransformStage>(p, 1).sources = {0, 0};
                   }),
            "1: the dimensions after are not those before in another order");
  EXPECT_EQ(broken(line(), [](Program& p) { stage_of<TransformStage>(p, 1).after = cyclic_layout(64, 4); }),
            "1: the dimensions after are not those before in another order");
  const auto dealt = [](Program& p) {
    stage_of<TransformStage>(p, 1).after = Layout({{8, 8}, {8, 1, Spread::cyclic}}, {4});
  };
  EXPECT_EQ(broken(line(), dealt), "1: dimension 1 does not stay as it is");
  const auto frequency_spread = [](Program& p) {
    stage_of<TransformStage>(p, 1).after = Layout({{8, 8, Spread::block}, {8, 1}}, {4});
  };
  EXPECT_EQ(broken(line(), frequency_spread), "1: the frequency is spread");
  EXPECT_EQ(broken(array_program({4, 8}, {1}),
                   [](Program& p) { stage_of<TransformStage>(p, 0).kind = Kind::real; }),
            "0: real numbers where complex ones are expected, or the reverse");
  EXPECT_EQ(broken(array_program({4, 8}, {1}, {.kind = Kind::real}),
                   [](Program& p) {
                     stage_of<TransformStage>(p, 0).after = stage_of<TransformStage>(p, 0).before;
                   }),
            "0: a dimension of 8 values becomes one of 8");
}

TEST(FaultOf, finds_wrong_twiddles) {
  EXPECT_EQ(broken(line(), [](Program& p) { stage_of<TransformStage>(p, 1).twiddle->order = 32; }),
            "1: twiddles of order 32, not 64");
  EXPECT_EQ(broken(line(), [](Program& p) { stage_of<TransformStage>(p, 1).twiddle->dimension = 0; }),
            "1: twiddles with dimension 0, not another dimension than the frequency");
  EXPECT_EQ(broken(array_program({4, 8}, {1}, {.kind = Kind::real}),
                   [](Program& p) {
                     stage_of<TransformStage>(p, 0).twiddle = Twiddle{0, 20};
                   }),
            "0: a real transform has no twiddles");
}

TEST(FaultOf, finds_exchanges_that_cut_anew_or_touch_another_axis) {
  EXPECT_EQ(broken(line(), [](Program& p) { stage_of<ExchangeStage>(p, 0).axis = 1; }),
            "0: an exchange over process axis 1, which there is not");
  EXPECT_EQ(broken(line(), [](Program& p) { stage_of<ExchangeStage>(p, 0).after = cyclic_layout(64, 4); }),
            "0: dimensions are cut anew");
  const auto new_dimensions = [](Program& p) {
    stage_of<ExchangeStage>(p, 0).after = Layout({{4, 16}, {16, 1, Spread::block}}, {4});
  };
  EXPECT_EQ(broken(line(), new_dimensions), "0: the dimension of 4 values of weight 16 is new");
  const auto other_processes = [](Program& p) {
    stage_of<ExchangeStage>(p, 0).after = Layout({{8, 8}, {8, 1, Spread::block}}, {2});
  };
  EXPECT_EQ(broken(line(), other_processes), "0: other process axes");
  const auto other_axis = [](Program& p) { stage_of<ExchangeStage>(p, 1).axis = 0; };
  EXPECT_EQ(broken(array_program({8, 8, 8}, {2, 2}), other_axis),
            "1: the dimension of 8 values moves on another axis than 0");
}

/// Returns the program of 13 points on 4 processes in cyclic order: chirp, transform, exchange, transform, kernel, ...
Program convolution() {
  return complex_program(13, 4, {.input = Distribution::cyclic, .output = Distribution::cyclic});
}

TEST(FaultOf, finds_chirps_and_kernels_that_do_not_fit) {
  EXPECT_EQ(broken(convolution(), [](Program& p) { stage_of<ChirpStage>(p, 0).length = 12; }),
            "0: a chirp of 12 points for the shorter of 13 and 32");
  const auto in_blocks = [](Program& p) {
    p.input = stage_of<ChirpStage>(p, 0).before = Layout({{13, 1, Spread::block}}, {4});
  };
  EXPECT_EQ(broken(convolution(), in_blocks), "0: points are padded in cyclic order only");
  EXPECT_EQ(broken(convolution(), [](Program& p) { stage_of<KernelStage>(p, 4).length = 17; }),
            "4: the kernel of 17 points does not fit into 32");
  EXPECT_EQ(broken(convolution(), [](Program& p) { stage_of<KernelStage>(p, 4).first_stage = 4; }),
            "4: the kernel is not made from the same layout by stages before");
  EXPECT_EQ(broken(convolution(), [](Program& p) { stage_of<KernelStage>(p, 4).first_stage = 0; }),
            "4: the kernel is not made from the same layout by stages before");
  const auto moves = [](Program& p) {
    stage_of<KernelStage>(p, 4).after = Layout({{32, 1, Spread::block}}, {4});
  };
  EXPECT_EQ(broken(convolution(), moves), "4: points move");
}

// The program of 128 real points on 4 processes is: pairs, exchange, transform, exchange, transform, post-processing,
// exchange.
TEST(FaultOf, finds_spectra_that_are_not_in_conjugate_pairs_or_of_another_length) {
  const auto change = [](auto what) {
    return broken(real_program(128, 4), [&](Program& p) { what(stage_of<RealPostprocessingStage>(p, 5)); });
  };
  EXPECT_EQ(change([](RealPostprocessingStage& s) { s.low = s.high; }), "5: not a low and a high dimension");
  EXPECT_EQ(change([](RealPostprocessingStage& s) { std::swap(s.low, s.high); }),
            "5: the high dimension is spread");
  EXPECT_EQ(change([](RealPostprocessingStage& s) { s.after = s.before; }),
            "5: the spectrum is not one value of the high dimension longer");
  EXPECT_EQ(change([](RealPostprocessingStage& s) { s.after = Layout(s.after.dimensions(), {4}); }),
            "5: a spectrum of 72 points");
}

TEST(FaultOf, finds_spectra_in_blocks_where_they_are_to_be_postprocessed) {
  const Layout pairs({{8, 8}, {8, 1, Spread::block}}, {4});
  const Layout spectrum({{9, 8}, {8, 1, Spread::block}}, {4}, 65);
  const RealPostprocessingStage stage{pairs, spectrum, Transform::forward, 1, 0};
  EXPECT_EQ(complaint({pairs, {stage}, spectrum}), "0: the low dimension is not in conjugate pairs");
}

TEST(FaultOf, finds_pairs_that_are_apart_and_real_points_that_move) {
  const auto apart = [](Program& p) { p.input = stage_of<RealStage>(p, 0).before = cyclic_layout(128, 4); };
  EXPECT_EQ(broken(real_program(128, 4), apart), "0: pairs of points are not together");
  const PlanOptions cyclic{.input = Distribution::cyclic, .output = Distribution::cyclic};
  const auto move = [](Program& p) {
    stage_of<RealStage>(p, 0).after = Layout({{64, 1, Spread::block}}, {4});
  };
  EXPECT_EQ(broken(real_program(64, 4, cyclic), move), "0: points move");
}

}  // namespace
}  // namespace cubefold::fft
