#include <algorithm>
#include <cmath>

#include "fft/whole_plan.hpp"
#include "support/message_of.hpp"

namespace cubefold::fft {
namespace {

constexpr std::size_t batch = 3;

template <typename Value>
Array<Value> interleaved(const Array<Value>& arrays) {
  const std::size_t count = arrays.size() / batch;
  Array<Value> result(arrays.size());
  for (std::size_t b = 0; b < batch; ++b)
    for (std::size_t i = 0; i < count; ++i) result[i * batch + b] = arrays[b * count + i];
  return result;
}

/// Writes zeros to the padding of an output.
template <typename Value>
void clear_padding(Value* output, const Plan<double>& plan) {
  const std::size_t count = plan.output_count() / batch;
  for (std::size_t i = 0; i < plan.output_count(); ++i) {
    const std::size_t place = plan.options().interleaved_batch ? i / batch : i % count;
    if (plan.output().point_at(plan.members(), place) >= plan.output().point_count()) output[i] = 0;
  }
}

/// Executes a plan between two arrays and in place, and expects the same result up to rounding. Padding is 0.
template <typename In, typename Out>
Array<Out> executed(Plan<double>& plan, const Array<In>& input) {
  Array<Out> output(plan.output_count());
  plan.execute(input.data(), output.data());
  std::vector<double> memory(2 * std::max(plan.input_count(), plan.output_count()));
  std::copy(input.begin(), input.end(), reinterpret_cast<In*>(memory.data()));
  plan.execute(reinterpret_cast<In*>(memory.data()), reinterpret_cast<Out*>(memory.data()));
  auto* out = reinterpret_cast<Out*>(memory.data());
  clear_padding(out, plan);
  clear_padding(output.data(), plan);
  EXPECT_TRUE(is_nearly(Array<Out>(out, out + output.size()), output)) << "in place";
  return output;
}

/// Expects an interleaved plan to give the same, up to rounding, as a plan of arrays one behind the other.
template <typename In, typename Out>
void expect_same(const VirtualComm& comm, const std::vector<std::size_t>& lengths, PlanOptions options,
                 const Array<In>& some) {
  options.batch = batch;
  SCOPED_TRACE(fmt::format("{} first points: {}", lengths[0], to_string(options)));
  Plan<double> apart(comm, lengths, options);
  options.interleaved_batch = true;
  Plan<double> together(comm, lengths, options);
  ASSERT_EQ(together.input_count(), apart.input_count());
  ASSERT_EQ(together.output_count(), apart.output_count());
  Array<In> input(apart.input_count());
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = some[i % some.size()];
  const auto result = executed<In, Out>(together, interleaved(input));
  EXPECT_TRUE(is_nearly(result, interleaved(executed<In, Out>(apart, input))));
}

TEST_F(PlanTest, transforms_interleaved_arrays_as_arrays_one_behind_the_other) {
  using Complex = std::complex<double>;
  const auto points = random_complex<double>(101, 1);
  const auto reals = random_reals<double>(101, 1);
  for (const Transform transform : both_ways) {
    for (const std::size_t n : {97U, 240U})
      for (const auto& [input, output] : some_pairs_of_distributions())
        expect_same<Complex, Complex>(comm, {n}, line_options(input, output, transform), points);
    for (const auto& lengths : std::vector<std::vector<std::size_t>>{{6, 8}, {4, 3, 2, 6}})
      for (const bool transposed : {false, true})
        expect_same<Complex, Complex>(comm, lengths,
                                      {.transform = transform, .transposed_output = transposed}, points);
  }
  for (const std::vector<std::size_t>& lengths : {std::vector<std::size_t>{45}, {240}, {6, 9}, {4, 5, 6}}) {
    for (const bool padded : {false, true}) {
      if (padded && lengths.size() == 1) continue;
      PlanOptions options{.kind = Kind::real, .padded_rows = padded};
      expect_same<double, Complex>(comm, lengths, options, reals);
      options.transform = Transform::inverse;
      expect_same<Complex, double>(comm, lengths, options, points);
    }
  }
}

TEST_F(PlanTest, ignores_the_padding_of_rows) {
  const std::vector<std::size_t> lengths{5, 6, 7};
  Plan<double> plain(comm, lengths, {.kind = Kind::real});
  Plan<double> padded(comm, lengths, {.kind = Kind::real, .padded_rows = true});
  const auto field = random_reals<double>(5 * 6 * 7, 2);
  Array<std::complex<double>> expected(plain.output_count());
  Array<std::complex<double>> spectrum(padded.output_count());
  plain.execute(part_of(field, plain.input(), plain.members()).data(), expected.data());
  auto rows = part_of(field, padded.input(), padded.members());
  EXPECT_EQ(rows.size(), 2 * spectrum.size());
  for (std::size_t i = 7; i < rows.size(); i += 8) rows[i] = std::nan("");
  padded.execute(rows.data(), spectrum.data());
  EXPECT_TRUE(is_nearly(spectrum, expected));
}

TEST_F(PlanTest, refuses_padding_and_butterflies_that_do_not_fit) {
  const auto refusal = [&](const std::vector<std::size_t>& lengths, const PlanOptions& options) {
    return message_of([&] { Plan<double>(comm, lengths, options); });
  };
  EXPECT_EQ(refusal({8}, {.kind = Kind::real, .padded_rows = true}),
            "fft::Plan: one dimension has no padded rows");
  EXPECT_EQ(refusal({8, 8}, {.padded_rows = true}), "fft::Plan: only rows of real numbers are padded");
  PlanOptions options = line_options(Distribution::cyclic, Distribution::block, Transform::forward);
  options.batch = 2;
  options.interleaved_batch = true;
  options.algorithm = Algorithm::binary_exchange;
  EXPECT_EQ(refusal({4096}, options),
            "fft::Plan: binary-exchange is for arrays one behind the other, not interleaved");
}

}  // namespace
}  // namespace cubefold::fft
