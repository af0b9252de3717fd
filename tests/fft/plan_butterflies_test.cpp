// Plan transforms by butterflies, and in the block-cyclic distribution of [Lcc] section 6.2.

#include <bit>
#include <utility>

#include "fft/whole_plan.hpp"
#include "support/message_of.hpp"

namespace cubefold::fft {
namespace {

constexpr auto block = Distribution::block;
constexpr auto cyclic = Distribution::cyclic;
constexpr auto block_cyclic = Distribution::block_cyclic;

struct Case {
  Distribution input;
  Distribution output;
  Algorithm algorithm;
  std::size_t length;
};

/// Returns cases for every algorithm with butterflies, with the shortest lengths that fit and longer ones.
std::vector<Case> cases_of_world() {
  const auto p = static_cast<std::size_t>(world_size());
  std::vector<Case> cases;
  for (const std::size_t rest : {1U, 3U, 20U}) {
    cases.push_back({cyclic, cyclic, Algorithm::half_exchange, p * p * rest});
    cases.push_back({block, cyclic, Algorithm::binary_exchange, p * rest});
    cases.push_back({cyclic, block, Algorithm::binary_exchange, p * rest});
  }
  for (const std::size_t rest : {1U, 4U}) {
    cases.push_back({block_cyclic, cyclic, Algorithm::half_exchange, p * p * p * rest});
    cases.push_back({block_cyclic, block_cyclic, Algorithm::binary_exchange, p * 16 * rest});
  }
  return cases;
}

PlanOptions options_of(const Case& c, Transform transform) {
  PlanOptions options = line_options(c.input, c.output, transform);
  options.algorithm = c.algorithm;
  return options;
}

TEST_F(PlanTest, is_the_transform_by_butterflies) {
  if (!mpi::world_is_a_cube()) GTEST_SKIP() << "butterflies are for 2^n processes";
  for (const Case& c : cases_of_world()) {
    for (const auto transform : both_ways)
      expect_transform<double>(comm, {c.length}, options_of(c, transform));
    expect_transform<float>(comm, {c.length}, options_of(c, Transform::forward));
  }
}

TEST_F(PlanTest, has_points_in_the_same_places_by_butterflies_and_by_exchanges) {
  if (!mpi::world_is_a_cube()) GTEST_SKIP() << "butterflies are for 2^n processes";
  for (const Case& c : cases_of_world()) {
    const auto p = static_cast<std::size_t>(world_size());
    if (c.length % (p * p) != 0) continue;  // transposes would have uneven blocks
    PlanOptions options = options_of(c, Transform::forward);
    SCOPED_TRACE(fmt::format("{} points: {}", c.length, to_string(options)));
    Plan<double> butterflies(comm, {c.length}, options);
    options.algorithm = Algorithm::transposed;
    Plan<double> exchanges(comm, {c.length}, options);
    EXPECT_TRUE(same_places(butterflies.input(), exchanges.input()));
    EXPECT_TRUE(same_places(butterflies.output(), exchanges.output()));
    EXPECT_EQ(butterflies.members(), exchanges.members());
    const auto x = random_complex<double>(c.length, 9);
    EXPECT_LE(error_of(transformed(butterflies, comm, x), widened(transformed(exchanges, comm, x))),
              2 * error_limit<double>(c.length));
  }
}

TEST_F(PlanTest, transforms_each_array_of_a_batch_by_butterflies_as_it_does_one) {
  if (!mpi::world_is_a_cube()) GTEST_SKIP() << "butterflies are for 2^n processes";
  using Points = Array<std::complex<double>>;
  constexpr std::size_t batch = 3;
  for (const Case& c : cases_of_world()) {
    PlanOptions options = options_of(c, Transform::inverse);
    Plan<double> one(comm, {c.length}, options);
    options.batch = batch;
    Plan<double> all(comm, {c.length}, options);
    EXPECT_EQ(all.input_count(), batch * one.input_count());
    Points input;
    Points expected;
    for (unsigned b = 0; b < batch; ++b) {
      const auto part = part_of(random_complex<double>(c.length, b), one.input(), one.members());
      input.insert(input.end(), part.begin(), part.end());
      Points output(one.output_count());
      one.execute(part.data(), output.data());
      expected.insert(expected.end(), output.begin(), output.end());
    }
    std::vector<std::complex<double>> workspace(all.workspace_bytes() / sizeof(std::complex<double>));
    all.use_workspace(workspace.data());
    Points output(all.output_count());
    all.execute(input.data(), output.data());
    EXPECT_EQ(output, expected);
    all.execute(input.data(), input.data());
    EXPECT_EQ(input, expected) << "in place";
    EXPECT_GE(all.times().exchange_seconds, all.times().overlap_seconds);
  }
}

TEST_F(PlanTest, explains_its_butterflies) {
  if (!mpi::world_is_a_cube()) GTEST_SKIP() << "butterflies are for 2^n processes";
  const auto p = static_cast<std::size_t>(world_size());
  const Case c{cyclic, cyclic, Algorithm::half_exchange, p * p};
  const std::string text = Plan<double>(comm, {c.length}, options_of(c, Transform::forward)).explain();
  for (const std::string& line :
       {fmt::format("{} points, complex forward, cyclic to cyclic", p * p),
        fmt::format("half exchange of {} x {} x 1 points, natural labels", p, p),
        fmt::format("all: {} message", std::countr_zero(p)),
        std::string("taken: half-exchange, as asked for"), std::string("alternative transposed: "),
        std::string("alternative bluestein: ")})
    EXPECT_NE(text.find(line), std::string::npos) << line << " is not in\n" << text;
}

TEST_F(PlanTest, refuses_butterflies_that_there_are_not_on_all_processes) {
  const auto p = static_cast<std::size_t>(world_size());
  const Case none{block, block, Algorithm::half_exchange, p * p};
  const auto message =
      message_of([&] { Plan<double>(comm, {none.length}, options_of(none, Transform::forward)); });
  const auto begin =
      fmt::format("fft::Plan: no half-exchange of {} points on {} processes from block to block;", p * p, p);
  EXPECT_EQ(message.substr(0, begin.size()), begin);
  PlanOptions real = options_of({cyclic, block, Algorithm::binary_exchange, p}, Transform::forward);
  real.kind = Kind::real;
  EXPECT_EQ(message_of([&] { Plan<double>(comm, {p}, real); }),
            "fft::Plan: binary-exchange is for complex points, not real ones");
}

TEST_F(PlanTest, is_the_transform_between_block_cyclic_and_all_others) {
  if (!mpi::world_is_a_cube()) GTEST_SKIP() << "block_cyclic is for 2^n processes";
  const auto p = static_cast<std::size_t>(world_size());
  for (const std::size_t length : {p * p * p, p * p * p * 4})
    for (const auto other : {block, cyclic, block_cyclic, Distribution::scrambled})
      for (const auto transform : both_ways) {
        expect_transform<double>(comm, {length}, line_options(block_cyclic, other, transform));
        expect_transform<double>(comm, {length}, line_options(other, block_cyclic, transform));
      }
  // These blocks have fewer points than there are processes.
  for (const std::size_t length : {p, 4 * p})
    expect_transform<double>(comm, {length}, line_options(block_cyclic, block_cyclic, Transform::forward));
}

}  // namespace
}  // namespace cubefold::fft
