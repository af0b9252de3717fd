#include "fftw_mpi/request.hpp"

#include <fftw3-mpi.h>
#include <gtest/gtest.h>

namespace cubefold::fftw_mpi {
namespace {

using fft::Distribution;
using fft::Kind;
using fft::Layout;
using fft::Rigor;
using fft::Spread;
using fft::Transform;
using Lengths = std::vector<std::size_t>;

constexpr std::size_t processes = 3;

Request cube(Transform transform, unsigned flags, Kind kind = Kind::complex) {
  return {.lengths = {8, 6, 5}, .kind = kind, .transform = transform, .flags = flags};
}

std::string refusal_of(const Request& request) {
  return same_plan(request, processes).refusal;
}

TEST(SamePlan, of_a_transposed_array_in_time_has_its_first_lengths_exchanged) {
  struct Case {
    Transform transform;
    unsigned flags;
    bool is_exchanged;
    bool is_transposed;
  };
  constexpr unsigned in = FFTW_MPI_TRANSPOSED_IN;
  constexpr unsigned out = FFTW_MPI_TRANSPOSED_OUT;
  for (const auto& [transform, flags, is_exchanged, is_transposed] :
       {Case{Transform::forward, 0, false, false}, Case{Transform::forward, out, false, true},
        Case{Transform::forward, in, true, true}, Case{Transform::forward, in | out, true, false},
        Case{Transform::inverse, 0, false, false}, Case{Transform::inverse, in, false, true},
        Case{Transform::inverse, out, true, true}, Case{Transform::inverse, in | out, true, false}}) {
    const SamePlan plan = same_plan(cube(transform, flags), processes);
    EXPECT_EQ(plan.refusal, "");
    EXPECT_EQ(plan.lengths, is_exchanged ? (Lengths{6, 8, 5}) : (Lengths{8, 6, 5}));
    EXPECT_EQ(plan.options.transposed_output, is_transposed);
    EXPECT_EQ(plan.options.transform, transform);
  }
}

TEST(SamePlan, is_not_scaled_and_has_slabs_with_padded_and_interleaved_rows) {
  Request request = cube(Transform::inverse, FFTW_PATIENT, Kind::real);
  request.howmany = 4;
  const fft::PlanOptions options = same_plan(request, processes).options;
  EXPECT_EQ(options.inverse_scaling, fft::Scaling::none);
  EXPECT_EQ(options.decomposition, fft::Decomposition::slab);
  EXPECT_EQ(options.batch, 4);
  EXPECT_TRUE(options.interleaved_batch && options.padded_rows && options.blocks_by_rank);
  EXPECT_EQ(options.rigor, Rigor::patient);
}

TEST(SamePlan, takes_the_rigor_of_the_flags) {
  const auto rigor = [](unsigned flags) {
    return same_plan(cube(Transform::forward, flags), processes).options.rigor;
  };
  EXPECT_EQ(rigor(FFTW_MEASURE), Rigor::measure);
  EXPECT_EQ(rigor(FFTW_ESTIMATE | FFTW_DESTROY_INPUT), Rigor::estimate);
  EXPECT_EQ(rigor(FFTW_EXHAUSTIVE), Rigor::exhaustive);
  EXPECT_TRUE(is_measured(cube(Transform::forward, FFTW_MEASURE | FFTW_MPI_TRANSPOSED_OUT)));
  EXPECT_FALSE(is_measured(cube(Transform::forward, FFTW_ESTIMATE)));
}

TEST(SamePlan, has_scrambled_frequencies_only) {
  Request line{.lengths = {64}, .flags = FFTW_MPI_SCRAMBLED_OUT};
  EXPECT_TRUE(is_scrambled(line));
  EXPECT_EQ(same_plan(line, processes).options.output, Distribution::scrambled);
  line.transform = Transform::inverse;
  EXPECT_EQ(refusal_of(line), "scrambled order in the time domain");
  line.flags = FFTW_MPI_SCRAMBLED_IN;
  EXPECT_EQ(same_plan(line, processes).options.input, Distribution::scrambled);
  line.flags |= FFTW_MPI_SCRAMBLED_OUT;
  EXPECT_EQ(refusal_of(line), "scrambled order in the time domain");
}

TEST(SamePlan, is_refused_where_cubefold_has_none) {
  EXPECT_EQ(same_plan(cube(Transform::forward, 0), 1).refusal, "one process has FFTW's own plan");
  EXPECT_EQ(refusal_of(cube(Transform::forward, FFTW_WISDOM_ONLY)), "FFTW_WISDOM_ONLY");
  EXPECT_EQ(refusal_of(cube(Transform::forward, FFTW_MPI_SCRAMBLED_OUT)),
            "scrambled order in several dimensions");
  EXPECT_EQ(refusal_of(cube(Transform::forward, FFTW_MPI_TRANSPOSED_IN, Kind::real)),
            "a transposed real array");
  Request request = cube(Transform::forward, 0);
  request.howmany = 0;
  EXPECT_EQ(refusal_of(request), "no arrays");
}

TEST(SamePlan, has_the_default_blocks_of_fftw_by_any_name) {
  Request request = cube(Transform::forward, FFTW_MPI_TRANSPOSED_OUT);
  request.input_block = 3;   // 8 planes over 3 processes
  request.output_block = 2;  // 6 rows over 3 processes
  EXPECT_EQ(refusal_of(request), "");
  request.output_block = 3;
  EXPECT_EQ(refusal_of(request), "blocks that are not FFTW's default");
  EXPECT_EQ(refusal_of({.lengths = {64}, .input_block = 32}), "blocks that are not FFTW's default");
}

TEST(LayoutOfFftw, has_rows_of_the_first_dimension_in_memory) {
  const Request request = cube(Transform::forward, FFTW_MPI_TRANSPOSED_OUT);
  EXPECT_EQ(fftw_layout(request, Side::input, processes),
            Layout({{8, 30, Spread::block}, {6, 5}, {5, 1}}, {processes}));
  EXPECT_EQ(fftw_layout(request, Side::output, processes),
            Layout({{6, 5, Spread::block}, {8, 30}, {5, 1}}, {processes}));
}

TEST(LayoutOfFftw, has_padded_rows_of_real_numbers_and_half_a_spectrum) {
  const Request request = cube(Transform::forward, 0, Kind::real);
  EXPECT_EQ(fftw_layout(request, Side::input, processes),
            Layout({{8, 30, Spread::block}, {6, 5}, {5, 1}}, {processes}).with_row_places(6));
  EXPECT_EQ(fftw_layout(request, Side::output, processes),
            Layout({{8, 18, Spread::block}, {6, 3}, {3, 1}}, {processes}));
}

TEST(LayoutOfFftw, of_a_transposed_array_in_time_is_that_of_the_array_with_exchanged_lengths) {
  const Request request = cube(Transform::forward, FFTW_MPI_TRANSPOSED_IN);
  EXPECT_EQ(fftw_layout(request, Side::input, processes),
            Layout({{6, 40, Spread::block}, {8, 5}, {5, 1}}, {processes}));
  EXPECT_EQ(fftw_layout(request, Side::output, processes),
            Layout({{8, 5, Spread::block}, {6, 40}, {5, 1}}, {processes}));
}

}  // namespace
}  // namespace cubefold::fftw_mpi
