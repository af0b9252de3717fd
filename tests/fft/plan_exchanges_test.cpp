#include <fmt/ranges.h>

#include "fft/whole_plan.hpp"
#include "support/sanitizers.hpp"
#include "support/variable.hpp"

namespace cubefold::fft {
namespace {

/// Returns the output of this process if all exchanges use the method.
Array<std::complex<double>> output_by(const std::string& method, const VirtualComm& comm,
                                      const std::vector<std::size_t>& lengths, const PlanOptions& options) {
  const mpi::Variable forced("CUBEFOLD_ALLTOALL", method);
  Plan<double> plan(comm, lengths, options);
  std::size_t n = 1;
  for (const std::size_t length : lengths) n *= length;
  const auto input = part_of(random_complex<double>(n, 5), plan.input(), plan.members());
  Array<std::complex<double>> output(plan.output_count());
  plan.execute(input.data(), output.data());
  return output;
}

TEST_F(PlanTest, is_bitwise_the_same_by_every_exchange) {
  // FFTW computes a single row of 64 points differently from several rows at once. The largest array is processed in
  // slabs that fit into a cache.
  for (const auto& lengths : std::vector<std::vector<std::size_t>>{
           {225}, {16384}, {97}, {12, 10, 9}, {9, 64, 7}, {64, 64, 130}, {16, 24, 256}}) {
    const auto expected = output_by("mpi", comm, lengths, {});
    for (const std::string method : {"direct", "linear", "bruck:2", "shifted"})
      EXPECT_EQ(output_by(method, comm, lengths, {}), expected) << method << " " << lengths[0];
  }
}

TEST_F(PlanTest, is_bitwise_the_same_by_packets_in_all_distributions_and_decompositions) {
  const auto expect_same = [&](const std::vector<std::size_t>& lengths, const PlanOptions& options) {
    EXPECT_TRUE(output_by("direct", comm, lengths, options) == output_by("mpi", comm, lengths, options))
        << fmt::format("{} {}", fmt::join(lengths, "x"), to_string(options));
  };
  for (const std::size_t n : {1155U, 3600U, 4096U, 12288U, end_of_sweep(65536U, 256U)})
    for (const auto& [input, output] : some_pairs_of_distributions())
      expect_same({n}, line_options(input, output, Transform::forward));
  for (const auto& lengths :
       std::vector<std::vector<std::size_t>>{{30, 42}, {64, 64}, {16, 15, 14}, {32, 32, 32}})
    for (const auto decomposition : {Decomposition::slab, Decomposition::pencil})
      for (const bool transposed : {false, true}) {
        const bool has_pencils = lengths.size() == 3 && mpi::world_has_pencils();
        if (decomposition == Decomposition::pencil && !has_pencils) continue;
        PlanOptions options;
        options.decomposition = decomposition;
        options.transposed_output = transposed;
        expect_same(lengths, options);
      }
}

TEST_F(PlanTest, works_while_messages_travel) {
  if (world_size() == 1) GTEST_SKIP() << "one process sends nothing";
  if (16384 % (world_size() * world_size()) != 0)
    GTEST_SKIP() << "Bluestein's arrays take turns: what arrives lies where there is still something to read";
  const mpi::Variable forced("CUBEFOLD_ALLTOALL", "direct");
  Plan<double> plan(comm, {16384},
                    line_options(Distribution::cyclic, Distribution::cyclic, Transform::forward));
  Array<std::complex<double>> points(plan.input_count(), 1);
  Array<std::complex<double>> output(plan.output_count());
  plan.execute(points.data(), output.data());
  const PhaseTimes times = plan.times();
  EXPECT_GT(times.overlap_seconds, 0);
  EXPECT_GE(times.exchange_seconds, times.overlap_seconds);
}

}  // namespace
}  // namespace cubefold::fft
