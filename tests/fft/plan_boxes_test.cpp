#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <random>

#include "fft/own_boxes.hpp"
#include "fft/whole_plan.hpp"
#include "support/message_of.hpp"

namespace cubefold::fft {
namespace {

/// Returns a partition of an array into a box for each process, the same on all of them. Some boxes may be empty.
std::vector<LocalBox> bricks(const std::vector<std::size_t>& lengths, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<LocalBox> boxes{{lengths, std::vector<std::size_t>(lengths.size(), 0)}};
  while (boxes.size() < static_cast<std::size_t>(world_size())) {
    const std::size_t i = random() % boxes.size();
    const std::size_t d = random() % lengths.size();
    const std::size_t cut = random() % (boxes[i].extents[d] + 1);
    LocalBox rest = boxes[i];
    boxes[i].extents[d] = cut;
    rest.offsets[d] += cut;
    rest.extents[d] -= cut;
    boxes.insert(boxes.begin() + static_cast<std::ptrdiff_t>(random() % (boxes.size() + 1)), rest);
  }
  return boxes;
}

LocalBox own(const VirtualComm& comm, const std::vector<LocalBox>& boxes) {
  return boxes[label(comm.rank())];
}

/// The box of this process at an end of a plan, and its memory.
struct Part {
  LocalBox box;
  LocalStrides strides;
  std::size_t batch;

  /// Calls visit(index of the point in the array, number of the array, place) for all numbers.
  template <typename Visit>
  void for_all(const std::vector<std::size_t>& lengths, Visit visit) const {
    for (std::size_t b = 0; b < batch; ++b) {
      for (std::size_t i = 0; i < product(box.extents); ++i) {
        std::size_t point = 0;
        std::size_t weight = 1;
        std::size_t place = b * strides.batch;
        for (std::size_t d = lengths.size(), rest = i; d-- > 0; rest /= box.extents[d]) {
          point += (box.offsets[d] + rest % box.extents[d]) * weight;
          place += rest % box.extents[d] * strides.dimensions[d];
          weight *= lengths[d];
        }
        visit(point, b, place);
      }
    }
  }
};

/// Returns the number of a point in an array of the batch.
template <typename Value>
Value number_of(const Array<Value>& whole, std::size_t point, std::size_t array) {
  return whole[point] * static_cast<Value>(static_cast<double>(array + 1));
}

/// Expects the numbers of this process within the limit, relative to the norm of the whole batch. All processes must
/// call this.
template <typename Value>
void expect_near(const VirtualComm& comm, const Part& part, const std::vector<std::size_t>& lengths,
                 const Value* numbers, const Array<Value>& whole, double limit) {
  std::array<double, 2> sums{};
  part.for_all(lengths, [&](std::size_t point, std::size_t array, std::size_t place) {
    const Value expected = number_of(whole, point, array);
    sums[0] += std::norm(numbers[place] - expected);
    sums[1] += std::norm(expected);
  });
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), 2, MPI_DOUBLE, MPI_SUM, comm.virtual_comm());
  EXPECT_LE(std::sqrt(sums[0]), limit * std::sqrt(sums[1]));
}

/// Transforms between boxes of the program at both ends, or at one, there and back, out of place and in place, and
/// expects the numbers of a plan without boxes.
template <typename In, typename Out>
void expect_boxes(const VirtualComm& comm, const std::vector<std::size_t>& lengths, PlanOptions options,
                  const Array<In>& points, unsigned seed) {
  options.both_directions = true;
  std::vector<std::size_t> spectrum_lengths = lengths;
  if (options.kind == Kind::real && !has_real_spectrum(options))
    spectrum_lengths.back() = lengths.back() / 2 + 1;
  PlanOptions plain = options;
  plain.batch = 1;
  plain.transposed_output = false;
  Plan<double> reference(comm, lengths, plain);
  Array<Out> part(reference.output_count());
  reference.execute(part_of(points, reference.input(), reference.members()).data(), part.data());
  const Array<Out> spectrum = whole_of(part, reference.output(), reference.members(), comm.virtual_comm());
  const double limit = 2 * static_cast<double>(error_limit<double>(scaled_count(lengths, options)));

  for (const int ends : some_of(std::vector{3, 1, 2}, 3)) {
    options.input_box.reset();
    options.output_box.reset();
    if ((ends & 1) != 0) options.input_box = own(comm, bricks(lengths, seed));
    if ((ends & 2) != 0) options.output_box = own(comm, bricks(spectrum_lengths, seed + 1));
    SCOPED_TRACE(fmt::format("{} first points: {}", lengths[0], to_string(options)));
    Plan<double> plan(comm, lengths, options);
    EXPECT_EQ(plan.input_box(), options.input_box.value_or(plan.input_box()));
    EXPECT_EQ(plan.output_box(), options.output_box.value_or(plan.output_box()));
    const Part before{plan.input_box(), plan.input_strides(), options.batch};
    const Part after{plan.output_box(), plan.output_strides(), options.batch};
    // Places that are no points, at the end of a line, are ignored.
    Array<In> input(plan.input_count() + 1, static_cast<In>(std::nan("")));
    before.for_all(lengths, [&](std::size_t point, std::size_t array, std::size_t place) {
      input[place] = number_of(points, point, array);
    });
    const Array<In> kept = input;
    Array<Out> output(plan.output_count() + 1, static_cast<Out>(std::nan("")));
    plan.execute(Transform::forward, input.data(), output.data());
    EXPECT_EQ(std::memcmp(kept.data(), input.data(), input.size() * sizeof(In)), 0) << "input was written to";
    expect_near(comm, after, spectrum_lengths, output.data(), spectrum, limit);
    Array<In> again(plan.input_count() + 1);
    plan.execute(Transform::inverse, output.data(), again.data());
    expect_near(comm, before, lengths, again.data(), points, limit);
    std::vector<double> memory(2 * std::max(input.size(), output.size()));
    auto* const in = reinterpret_cast<In*>(memory.data());
    auto* const out = reinterpret_cast<Out*>(memory.data());
    std::memcpy(in, input.data(), input.size() * sizeof(In));
    plan.execute(Transform::forward, in, out);
    expect_near(comm, after, spectrum_lengths, out, spectrum, limit);
    plan.execute(Transform::inverse, out, in);
    expect_near(comm, before, lengths, in, points, limit);
  }
}

TEST_F(PlanTest, transforms_between_boxes_of_the_program) {
  using Complex = std::complex<double>;
  const Plan<double> keeps_axes(comm, {16});
  unsigned seed = 0;
  for (const std::vector<std::size_t>& lengths :
       {std::vector<std::size_t>{96}, {61}, {9, 8}, {5, 6, 7}, {3, 4, 2, 5}}) {
    const std::size_t n = product(lengths);
    const auto points = random_complex<double>(n, 1);
    const auto reals = random_reals<double>(n, 2);
    for (const bool transposed : {false, true}) {
      if (transposed && lengths.size() == 1) continue;
      seed += 2;
      const PlanOptions options{.transposed_output = transposed};
      expect_boxes<Complex, Complex>(comm, lengths, options, points, seed);
      PlanOptions real = options;
      real.kind = Kind::real;
      expect_boxes<double, Complex>(comm, lengths, real, reals, seed + 1);
    }
  }
  const std::vector<LineTransform> cosines{LineTransform::redft10, LineTransform::rodft00};
  expect_boxes<double, double>(comm, {9, 8}, {.kind = Kind::real, .line_transforms = cosines},
                               random_reals<double>(72, 3), 50);
}

TEST_F(PlanTest, transforms_batches_between_boxes_of_the_program) {
  using Complex = std::complex<double>;
  const Plan<double> keeps_axes(comm, {16});
  for (const bool interleaved : {false, true}) {
    PlanOptions options{.batch = 3};
    options.interleaved_batch = interleaved;
    for (const std::vector<std::size_t>& lengths : {std::vector<std::size_t>{96}, {5, 6, 7}}) {
      expect_boxes<Complex, Complex>(comm, lengths, options, random_complex<double>(product(lengths), 1), 7);
      options.kind = Kind::real;
      expect_boxes<double, Complex>(comm, lengths, options, random_reals<double>(product(lengths), 1), 8);
      options.kind = Kind::complex;
    }
    options.transposed_output = true;
    expect_boxes<Complex, Complex>(comm, {9, 8}, options, random_complex<double>(72, 1), 9);
  }
}

/// The limit of a round is that of MPI's counts, unless it is lowered.
TEST_F(PlanTest, moves_boxes_in_rounds_where_a_process_has_more_bytes_than_mpi_counts) {
  const std::vector<std::size_t> lengths{8, 9, 7};
  const auto axis = std::make_shared<ProcessAxis>();
  axis->members = static_cast<std::size_t>(world_size());
  axis->member = label(comm.rank());
  axis->comm.emplace(comm.duplicate());
  axis->plans.emplace(*axis->comm, std::nullopt);
  for (const std::size_t largest_bytes : {std::size_t{1} << 30U, std::size_t{1}}) {
    const LocalBox box = own(comm, bricks(lengths, 11));
    const LocalBox of_plan = own(comm, bricks(lengths, 12));
    OwnBoxes boxes(comm.virtual_comm(), axis, box,
                   {.name = "input",
                    .lengths = lengths,
                    .memory_order = {0, 1, 2},
                    .box = of_plan,
                    .strides = strides_of_box(of_plan, 1, false),
                    .place_count = product(of_plan.extents),
                    .number_bytes = sizeof(double),
                    .batch = 1,
                    .is_interleaved = false,
                    .largest_round_bytes = largest_bytes});
    const bool has_rounds = boxes.text().find(" rounds") != std::string::npos;
    EXPECT_EQ(has_rounds, world_size() > 1 && largest_bytes == 1) << boxes.text();
    std::vector<double> first(boxes.work_bytes() / sizeof(double) + 1);
    std::vector<double> second(first.size());
    const OwnBoxes::Work work{reinterpret_cast<std::byte*>(first.data()),
                              reinterpret_cast<std::byte*>(second.data())};
    const auto whole = random_reals<double>(product(lengths), 4);
    const Part program{box, strides_of_box(box, 1, false), 1};
    std::vector<double> numbers(product(box.extents) + 1);
    program.for_all(
        lengths, [&](std::size_t point, std::size_t, std::size_t place) { numbers[place] = whole[point]; });
    if (boxes.are_of_plan()) continue;
    const OwnBoxes::Work moved = boxes.to_plan(numbers.data(), work);
    const auto* const arrived = reinterpret_cast<const double*>(moved.numbers);
    Part{of_plan, strides_of_box(of_plan, 1, false), 1}.for_all(
        lengths,
        [&](std::size_t point, std::size_t, std::size_t place) { EXPECT_EQ(arrived[place], whole[point]); });
    std::vector<double> again(numbers.size());
    boxes.to_program(moved, again.data());
    EXPECT_EQ(again, numbers);
  }
}

TEST_F(PlanTest, exchanges_nothing_for_boxes_that_are_its_own) {
  Plan<double> plain(comm, {8, 6, 5});
  PlanOptions options;
  options.input_box = plain.input_box();
  options.output_box = plain.output_box();
  Plan<double> plan(comm, {8, 6, 5}, options);
  EXPECT_EQ(plan.workspace_bytes(), plain.workspace_bytes());
  EXPECT_NE(plan.explain().find("input boxes of the program: those of the plan\n"), std::string::npos);
  options.output_box = own(comm, bricks({8, 6, 5}, 3));
  EXPECT_NE(Plan<double>(comm, {8, 6, 5}, options).explain().find("output boxes of the program: "),
            std::string::npos);
}

TEST_F(PlanTest, tells_the_bytes_of_the_exchange_with_boxes) {
  // The first process has all points, of which the plan's own slabs leave it its share.
  const bool is_first = label(comm.rank()) == 0;
  const auto p = static_cast<std::size_t>(world_size());
  PlanOptions options;
  options.input_box = LocalBox{{is_first ? 4 * p : 0, 6}, {0, 0}};
  Plan<double> plan(comm, {4 * p, 6}, options);
  const std::size_t bytes = 16 * 24 * (p - 1);
  const auto line = fmt::format(
      "input boxes of the program: {} bytes sent by all together, at most {} bytes and {} messages by one\n",
      bytes, bytes, p - 1);
  if (p == 1) {
    EXPECT_NE(plan.explain().find("those of the plan"), std::string::npos);
  } else {
    EXPECT_NE(plan.explain().find(line), std::string::npos) << plan.explain();
  }
}

TEST_F(PlanTest, refuses_boxes_that_do_not_have_every_point_once) {
  const bool is_last = static_cast<int>(label(comm.rank())) == world_size() - 1;
  const auto refusal = [&](const std::vector<std::size_t>& lengths, const PlanOptions& options) {
    return message_of([&] { Plan<double>(comm, lengths, options); });
  };
  PlanOptions options;
  options.input_box = LocalBox{{is_last ? 7U : 0U, 8}, {0, 0}};
  EXPECT_EQ(refusal({8, 8}, options),
            "fft::Plan: input boxes have every point of the array once, but no box has point (7, 0)");
  options.input_box.reset();
  options.output_box = LocalBox{{8, 8}, {0, 0}};
  if (world_size() > 1) {
    EXPECT_EQ(refusal({8, 8}, options),
              "fft::Plan: output boxes have every point of the array once, but the boxes of ranks 0 and 1 "
              "overlap: both have point (0, 0)");
  }
  options.output_box = LocalBox{{is_last ? 9U : 0U, 8}, {0, 0}};
  EXPECT_EQ(refusal({8, 8}, options),
            fmt::format("fft::Plan: output boxes have every point of the array once, but the box of rank {}, "
                        "9x8 points from (0, 0) on, is not inside the array of 8x8",
                        world_size() - 1));
  options.output_box = LocalBox{{8}, {0, 0}};
  EXPECT_EQ(refusal({8, 8}, options),
            "fft::Plan: the output box has 1 extents and 2 offsets for 2 dimensions");
}

TEST_F(PlanTest, refuses_boxes_beside_other_distributions) {
  const auto refusal = [&](const std::vector<std::size_t>& lengths, const PlanOptions& options) {
    return message_of([&] { Plan<double>(comm, lengths, options); });
  };
  PlanOptions options = line_options(Distribution::cyclic, Distribution::block, Transform::forward);
  options.input_box = LocalBox{{16}, {0}};
  EXPECT_EQ(refusal({16}, options), "fft::Plan: input boxes and the distribution cyclic exclude each other");
  options = {.kind = Kind::real, .padded_rows = true};
  options.input_box = LocalBox{{8, 8}, {0, 0}};
  EXPECT_EQ(refusal({8, 8}, options), "fft::Plan: input boxes have no padded rows");
  if (world_size() == 1) return;
  options = {};
  if (label(comm.rank()) == 1) options.input_box = LocalBox{{8, 8}, {0, 0}};
  EXPECT_NE(refusal({8, 8}, options).find("input boxes"), std::string::npos);
}

TEST_F(PlanTest, has_no_layout_where_the_program_has_boxes) {
  PlanOptions options;
  options.input_box = own(comm, bricks({8, 6}, 5));
  Plan<double> plan(comm, {8, 6}, options);
  EXPECT_EQ(message_of([&] { plan.input(); }),
            "the input points are in boxes of the program, not in a distribution of the plan");
  EXPECT_EQ(message_of([&] { plan.output(); }), "nothing thrown");
  EXPECT_EQ(plan.input_count(), product(plan.input_box().extents));
}

}  // namespace
}  // namespace cubefold::fft
