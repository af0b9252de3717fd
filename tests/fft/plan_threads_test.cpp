#include "fft/whole_plan.hpp"

#include <algorithm>
#include <cmath>

#include "support/message_of.hpp"
#include "support/variable.hpp"

namespace cubefold::fft {
namespace {

class PlanThreadsTest : public PlanTest {
 protected:
  using Points = std::vector<std::complex<double>>;

  /// Expects the transform by these threads, and returns it.
  Points expect_transform(const std::vector<std::size_t>& lengths, PlanOptions options,
                          std::size_t threads) const {
    options.threads = threads;
    SCOPED_TRACE(fmt::format("{} points, {}", product(lengths), to_string(options)));
    const Points x = random_complex<double>(product(lengths), 5);
    auto expected = long_dft(widened(x), lengths, sign_of(options.transform));
    for (auto& value : expected) value *= scale_of(options, product(lengths));
    Plan<double> plan(comm, lengths, options);
    const auto result = transformed(plan, comm, x);
    EXPECT_LE(error_of(result, expected), error_limit<double>(product(lengths)));
    return Points(result.begin(), result.end());
  }

  /// Calls expect(lengths, options) for lines and arrays of several sizes.
  template <typename Expect>
  void for_shapes(Expect expect) const {
    const auto p = static_cast<std::size_t>(world_size());
    expect(std::vector{2048 * p}, PlanOptions{});
    expect(std::vector<std::size_t>{97 * 61}, PlanOptions{});
    expect(std::vector<std::size_t>{5, 3, 7}, PlanOptions{});
    for (const bool transposed : {false, true}) {
      for (const Transform transform : {Transform::forward, Transform::inverse}) {
        const PlanOptions options{.transform = transform, .transposed_output = transposed};
        expect(std::vector<std::size_t>{4 * p, 32, 50}, options);
        expect(std::vector{8 * p, 8 * p, std::size_t{24}}, options);
        expect(std::vector<std::size_t>{50 * p, 90}, options);
      }
    }
  }
};

TEST_F(PlanThreadsTest, share_every_transform) {
  for_shapes([&](const std::vector<std::size_t>& lengths, const PlanOptions& options) {
    expect_transform(lengths, options, 1 + lengths.size());
  });
}

TEST_F(PlanThreadsTest, are_compared_with_one_thread) {
  const std::size_t side = 8 * static_cast<std::size_t>(world_size());
  for (const bool transposed : {false, true})
    expect_transform({side, side, 12}, {.transposed_output = transposed, .rigor = Rigor::measure}, 2);
}

TEST_F(PlanThreadsTest, share_a_long_line_of_one_process) {
  if (world_size() > 1) GTEST_SKIP() << "several processes share a line anyway";
  for (const Transform transform : {Transform::forward, Transform::inverse})
    for (const Rigor rigor : {Rigor::estimate, Rigor::measure})
      expect_transform({128 * 130}, {.transform = transform, .rigor = rigor}, 2);
}

TEST_F(PlanThreadsTest, are_counted_in_the_explanation) {
  const Plan<double> plan(comm, {12, 12}, {.threads = 3});
  const std::string expected = "\nthreads: 3 between two arrays, 3 in place; the process may use cores: ";
  EXPECT_NE(plan.explain().find(expected), std::string::npos) << plan.explain();
}

TEST_F(PlanThreadsTest, share_a_batch) {
  for (const bool interleaved : {false, true}) {
    Plan<double> plan(comm, {12, 20, 30}, {.batch = 3, .interleaved_batch = interleaved, .threads = 2});
    Plan<double> alone(comm, {12, 20, 30}, {.batch = 3, .interleaved_batch = interleaved});
    auto points = random_complex<double>(std::max(plan.input_count(), plan.output_count()) + 1, 7);
    Points one(points.begin(), points.end());
    plan.execute(points.data(), points.data());
    alone.execute(one.data(), one.data());
    for (std::size_t i = 0; i < plan.output_count(); ++i) EXPECT_LE(std::abs(points[i] - one[i]), 1e-11);
  }
}

// Without windows and joined transforms, threads share rows of transforms, each of which is computed alike.
TEST_F(PlanThreadsTest, give_the_same_bits_if_a_method_of_exchanges_is_asked_for) {
  const mpi::Variable forced("CUBEFOLD_ALLTOALL", "mpi", mpi::Variable::Where::everywhere);
  if (world_size() == 1) GTEST_SKIP() << "one process exchanges nothing";
  for_shapes([&](const std::vector<std::size_t>& lengths, const PlanOptions& options) {
    EXPECT_EQ(expect_transform(lengths, options, 3), expect_transform(lengths, options, 1));
  });
}

TEST_F(PlanTest, transforms_real_numbers_with_several_threads) {
  const std::vector<std::size_t> lengths{30, 40, 31};
  PlanOptions options{.kind = Kind::real, .both_directions = true, .threads = 3};
  Plan<double> plan(comm, lengths, options);
  const auto x = random_reals<double>(product(lengths), 6);
  const auto part = part_of(x, plan.input(), plan.members());
  Array<std::complex<double>> spectrum(plan.output_count());
  Array<double> again(plan.input_count());
  plan.execute(Transform::forward, part.data(), spectrum.data());
  plan.execute(Transform::inverse, spectrum.data(), again.data());
  EXPECT_LE(error_of(whole_of(again, plan.input(), plan.members(), comm.virtual_comm()), widened(x)),
            2 * error_limit<double>(product(lengths)));
}

TEST_F(PlanTest, refuses_no_threads) {
  EXPECT_EQ(message_of([&] { Plan<double>(comm, {8}, {.threads = 0}); }),
            "fft::Plan: 0 threads compute nothing");
}

}  // namespace
}  // namespace cubefold::fft
