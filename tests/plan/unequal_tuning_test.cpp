#include "plan/unequal_tuning.hpp"

#include <gtest/gtest.h>

namespace cubefold {
namespace {

const std::vector<UnequalTuning::NamedWay> all_ways{
    {UnequalWay::mpi, "theirs"}, {UnequalWay::narrow, "ours"}, {UnequalWay::by_size, "by size"}};

UnequalWay way_of(UnequalTuning tuning, const UnequalSizes& sizes) {
  tuning.add(tuning.place_for(sizes));
  return tuning.begin(sizes);
}

/// Calls begin(), end() and settle() with the time that each way takes, until no call is measured, and returns the way
/// of the next call.
UnequalWay chosen(UnequalTuning& tuning, const UnequalSizes& sizes, double of_mpi, double of_others) {
  do {
    if (tuning.lacks(sizes)) tuning.add(tuning.place_for(sizes));
    tuning.end(tuning.begin(sizes) == UnequalWay::mpi ? of_mpi : of_others);
    tuning.settle(tuning.pending_seconds());
  } while (tuning.is_measuring(sizes));
  return tuning.begin(sizes);
}

TEST(UnequalTuning, uses_the_last_way_that_can_be_used_without_measurements) {
  const UnequalTuning tuning(all_ways, 0, 4);
  EXPECT_EQ(way_of(tuning, {100, 256}), UnequalWay::by_size);  // 4 * 4 sizes have 64 bytes
  EXPECT_EQ(way_of(tuning, {100, 255}), UnequalWay::narrow);
  EXPECT_EQ(way_of(tuning, {0, 0}), UnequalWay::narrow);
  EXPECT_EQ(way_of(tuning, {std::uint64_t{1} << 31, std::uint64_t{1} << 40}), UnequalWay::narrow);
  EXPECT_EQ(way_of(tuning, {(std::uint64_t{1} << 31) - 1, std::uint64_t{1} << 40}), UnequalWay::by_size);
  EXPECT_FALSE(tuning.is_measuring({100, 256}));
  EXPECT_EQ(tuning.text({100, 256}), "by size where it can be used");
}

TEST(UnequalTuning, lets_blocks_travel_by_size_between_128_ranks_at_most) {
  EXPECT_EQ(way_of({all_ways, 0, 128}, {1 << 20, 1 << 30}), UnequalWay::by_size);
  EXPECT_EQ(way_of({all_ways, 0, 129}, {1 << 20, 1 << 30}), UnequalWay::narrow);
}

TEST(UnequalTuning, uses_steps_where_mpi_cannot_count_the_bytes) {
  const UnequalTuning tuning({{UnequalWay::mpi, "theirs"}}, 0, 4);
  EXPECT_EQ(way_of(tuning, {1, (std::uint64_t{1} << 31) - 1}), UnequalWay::mpi);
  EXPECT_EQ(way_of(tuning, {1, std::uint64_t{1} << 31}), UnequalWay::narrow);
}

TEST(UnequalTuning, chooses_the_fastest_way_for_each_class_of_sizes) {
  UnequalTuning tuning(all_ways, 3, 4);
  EXPECT_TRUE(tuning.is_measuring({10, 100}));
  EXPECT_EQ(chosen(tuning, {10, 100}, 1, 2), UnequalWay::mpi);
  EXPECT_FALSE(tuning.is_measuring({15, 127})) << "the class of 10 and 100";
  EXPECT_TRUE(tuning.is_measuring({10, 128}));
  EXPECT_TRUE(tuning.is_measuring({16, 100}));
  EXPECT_EQ(chosen(tuning, {10, 128}, 2, 1), UnequalWay::narrow);
  EXPECT_TRUE(tuning.text({10, 100}).starts_with("theirs, fastest of ")) << tuning.text({10, 100});
}

// The way that is measured with more bytes takes longer, but not for each byte.
TEST(UnequalTuning, compares_calls_of_different_sizes_by_the_time_of_a_byte) {
  UnequalTuning tuning({all_ways[0], all_ways[1]}, 3, 4);
  while (tuning.is_measuring({10, 64})) {
    UnequalSizes sizes{10, 64};
    if (tuning.lacks(sizes)) tuning.add(tuning.place_for(sizes));
    UnequalTuning ahead = tuning;
    if (ahead.begin(sizes) == UnequalWay::narrow) sizes.process_bytes = 127;
    tuning.end(tuning.begin(sizes) == UnequalWay::mpi ? 1.0 : 1.2);
    tuning.settle(tuning.pending_seconds());
  }
  EXPECT_EQ(way_of(tuning, {10, 64}), UnequalWay::narrow);
}

TEST(UnequalTuning, ignores_the_time_of_a_call_that_failed) {
  UnequalTuning tuning({all_ways[0], all_ways[1]}, 1, 4);
  tuning.add(tuning.place_for({10, 100}));
  const UnequalWay first = tuning.begin({10, 100});
  EXPECT_EQ(tuning.pending_seconds(), std::numeric_limits<double>::infinity());
  tuning.settle(tuning.pending_seconds());
  EXPECT_EQ(tuning.pending_seconds(), 0);
  EXPECT_EQ(tuning.begin({10, 100}), first) << "the way is measured again";
}

}  // namespace
}  // namespace cubefold
