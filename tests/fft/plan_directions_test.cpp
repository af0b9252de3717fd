#include <algorithm>
#include <array>

#include "cubefold/fft/memory.hpp"
#include "fft/whole_plan.hpp"
#include "support/message_of.hpp"

namespace cubefold::fft {
namespace {

using Complex = std::complex<double>;

/// Transforms numbers there and back by one plan, and back by a plan of its own, which has to give the same bits.
template <typename Point>
void expect_return(const VirtualComm& comm, const std::vector<std::size_t>& lengths, PlanOptions options,
                   const Array<Point>& points) {
  options.both_directions = true;
  SCOPED_TRACE(fmt::format("{} points, {}", product(lengths), to_string(options)));
  Plan<double> plan(comm, lengths, options);
  const Array<Point> input = part_of(points, plan.input(), plan.members());
  Array<Complex> spectrum(plan.output_count());
  Array<Point> again(plan.input_count());
  plan.execute(Transform::forward, input.data(), spectrum.data());
  plan.execute(Transform::inverse, spectrum.data(), again.data());
  EXPECT_LE(error_of(whole_of(again, plan.input(), plan.members(), comm.virtual_comm()), widened(points)),
            2 * error_limit<double>(product(lengths)));
  PlanOptions back = reversed(plan.options());
  back.both_directions = false;
  if (back.algorithm != Algorithm::half_exchange) {
    Plan<double> inverse(comm, lengths, back);
    Array<Point> expected(plan.input_count());
    inverse.execute(spectrum.data(), expected.data());
    EXPECT_EQ(again, expected);
  }
  Array<Complex> in_place(std::max(plan.input_count(), plan.output_count()));
  std::copy(input.begin(), input.end(), reinterpret_cast<Point*>(in_place.data()));
  plan.execute(reinterpret_cast<Point*>(in_place.data()), in_place.data());
  EXPECT_TRUE(std::equal(spectrum.begin(), spectrum.end(), in_place.begin())) << "in place";
}

TEST_F(PlanTest, transforms_there_and_back_by_one_plan) {
  for (const auto& [input, output] : some_pairs_of_distributions())
    for (const std::size_t n : {97U, 256U})
      expect_return(comm, {n}, line_options(input, output, Transform::forward), random_complex<double>(n, 1));
  for (const bool transposed : {false, true}) {
    const PlanOptions options{.transposed_output = transposed};
    expect_return(comm, {5, 6, 8}, options, random_complex<double>(240, 2));
    expect_return(comm, {3, 2, 4, 2, 5}, options, random_complex<double>(240, 2));
  }
  for (const std::vector<std::size_t>& lengths : {std::vector<std::size_t>{240}, {45}, {5, 6, 7}})
    expect_return(comm, lengths, {.kind = Kind::real}, random_reals<double>(product(lengths), 3));
}

TEST_F(PlanTest, of_butterflies_goes_back_from_block_cyclic_too) {
  if (!mpi::world_is_a_cube()) GTEST_SKIP() << "butterflies need 2^n processes";
  const auto p = static_cast<std::size_t>(world_size());
  PlanOptions options = line_options(Distribution::block_cyclic, Distribution::cyclic, Transform::forward);
  options.algorithm = Algorithm::half_exchange;
  expect_return(comm, {p * p * p * 16}, options, random_complex<double>(p * p * p * 16, 1));
}

TEST_F(PlanTest, refuses_a_direction_that_it_does_not_have) {
  Plan<double> plan(comm, {16});
  std::vector<Complex> points(64);
  EXPECT_EQ(message_of([&] { plan.execute(Transform::inverse, points.data(), points.data()); }),
            "execute: the plan was made for the other direction alone");
}

TEST_F(PlanTest, tells_the_strides_of_boxes) {
  for (const bool is_interleaved : {false, true}) {
    PlanOptions options{.transposed_output = true, .batch = 3};
    options.interleaved_batch = is_interleaved;
    Plan<double> plan(comm, {4, 5, 6}, options);
    for (const bool is_input : {true, false}) {
      const Layout& layout = is_input ? plan.input() : plan.output();
      const LocalBox box = is_input ? plan.input_box() : plan.output_box();
      const LocalStrides strides = is_input ? plan.input_strides() : plan.output_strides();
      EXPECT_EQ(strides.batch, is_interleaved ? 1 : layout.local_count(plan.members()));
      for (std::size_t i = 0; i < layout.local_count(plan.members()); ++i) {
        const std::size_t point = layout.point_at(plan.members(), i);
        const std::array<std::size_t, 3> at{point / 30, point / 6 % 5, point % 6};
        std::size_t place = 0;
        for (std::size_t d = 0; d < 3; ++d) place += (at[d] - box.offsets[d]) * strides.dimensions[d];
        EXPECT_EQ(place, is_interleaved ? i * 3 : i);
      }
    }
  }
  PlanOptions cyclic = line_options(Distribution::cyclic, Distribution::cyclic, Transform::forward);
  Plan<double> line(comm, {256}, cyclic);
  if (world_size() > 1) {
    EXPECT_NE(message_of([&] { line.input_strides(); }).find("no box"), std::string::npos);
  }
}

TEST_F(PlanTest, gives_aligned_memory) {
  void* memory = allocate(comm, 5 << 20);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 64, 0U);
  free_memory(memory);
  EXPECT_EQ(allocate(comm, 0), nullptr);
}

/// Returns all process grids of the processes of the world.
std::vector<std::array<std::size_t, 2>> grids() {
  std::vector<std::array<std::size_t, 2>> all;
  const auto p = static_cast<std::size_t>(world_size());
  for (std::size_t rows = 1; rows <= p; ++rows)
    if (p % rows == 0) all.push_back({rows, p / rows});
  return all;
}

TEST_F(PlanTest, distributes_arrays_over_every_process_grid_of_a_line) {
  const VirtualComm line(MPI_COMM_WORLD, fmt::format("line:{}", world_size()), "identity");
  for (const auto& grid : grids()) {
    PlanOptions options{.process_grid = grid};
    for (const bool transposed : {false, true}) {
      options.transposed_output = transposed;
      expect_transform<double>(line, {5, 6, 7}, options);
    }
    Plan<double> plan(line, {12, 12, 5}, {.process_grid = {grid[0], 0}});
    const LocalBox box = plan.input_box();
    EXPECT_LE(box.extents[0], (12 + grid[0] - 1) / grid[0]);
    std::size_t place = 0;
    if (plan.input_count() > 0) {
      const std::size_t first = (box.offsets[0] * 12 + box.offsets[1]) * 5;
      EXPECT_EQ(plan.rank_of(plan.input().owner(first)), line.rank());
      place = plan.input().place_of(first);
    }
    EXPECT_EQ(place, 0U);
  }
}

TEST_F(PlanTest, distributes_arrays_over_the_axes_of_a_torus) {
  for (const auto& name : mpi::grids_of_world()) {
    const VirtualComm torus(MPI_COMM_WORLD, name, "identity");
    for (const auto& grid : grids()) {
      SCOPED_TRACE(fmt::format("{}x{} on {}", grid[0], grid[1], name));
      const auto message = message_of([&] {
        expect_transform<double>(torus, {5, 6, 7}, {.process_grid = grid});
      });
      if (message != "nothing thrown") {
        EXPECT_NE(message.find("does not follow the axes of"), std::string::npos) << message;
      }
    }
  }
}

TEST_F(PlanTest, refuses_process_grids_that_do_not_fit) {
  const auto p = static_cast<std::size_t>(world_size());
  const auto refusal = [&](const std::vector<std::size_t>& lengths, const PlanOptions& options) {
    return message_of([&] { Plan<double>(comm, lengths, options); });
  };
  EXPECT_EQ(refusal({8, 8, 8}, {.process_grid = {p + 1, 1}}),
            fmt::format("fft::Plan: process_grid {}x1 is no grid of {} processes", p + 1, p));
  EXPECT_EQ(refusal({8, 8, 8}, {.process_grid = {0, p + 1}}),
            fmt::format("fft::Plan: process_grid 0x{} is no grid of {} processes", p + 1, p));
  EXPECT_EQ(refusal({8}, {.process_grid = {p, 1}}), "fft::Plan: one dimension has no process_grid");
  if (p == 1) return;
  EXPECT_EQ(refusal({8, 8}, {.process_grid = {1, p}}), "fft::Plan: an array of 2 dimensions has no pencils");
  EXPECT_EQ(refusal({8, 8, 8}, {.decomposition = Decomposition::slab, .process_grid = {1, p}}),
            fmt::format("fft::Plan: process_grid 1x{} has no slabs, whose second number is 1", p));
  if (p == 8) {
    const VirtualComm torus(MPI_COMM_WORLD, "torus:4x2", "identity");
    EXPECT_EQ(message_of([&] {
                Plan<double>(torus, {8, 8, 8}, {.process_grid = {8, 1}});
              }),
              "nothing thrown");
  }
}

}  // namespace
}  // namespace cubefold::fft
