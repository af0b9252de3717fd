#include "fft/whole_plan.hpp"
#include "support/message_of.hpp"

namespace cubefold::fft {
namespace {

/// Expects the transform by several threads, and the same bits for every number of them.
void expect_transform_by_threads(const VirtualComm& comm, const std::vector<std::size_t>& lengths,
                                 PlanOptions options) {
  SCOPED_TRACE(fmt::format("{} points, {}", product(lengths), to_string(options)));
  const auto x = random_complex<double>(product(lengths), 5);
  auto expected = long_dft(widened(x), lengths, sign_of(options.transform));
  for (auto& value : expected) value *= scale_of(options, product(lengths));
  options.threads = 2;
  Plan<double> two(comm, lengths, options);
  const auto by_two = transformed(two, comm, x);
  EXPECT_LE(error_of(by_two, expected), error_limit<double>(product(lengths)));
  options.threads = 3;
  Plan<double> three(comm, lengths, options);
  EXPECT_EQ(transformed(three, comm, x), by_two);
}

TEST_F(PlanTest, gives_the_same_bits_with_several_threads) {
  const auto p = static_cast<std::size_t>(world_size());
  expect_transform_by_threads(comm, {4096 * p * p}, {});
  expect_transform_by_threads(comm, {97 * 61}, {});
  for (const bool transposed : {false, true}) {
    expect_transform_by_threads(comm, {4 * p, 64, 50}, {.transposed_output = transposed});
    expect_transform_by_threads(comm, {100 * p, 90},
                                {.transform = Transform::inverse, .transposed_output = transposed});
  }
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
