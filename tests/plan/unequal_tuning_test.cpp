#include "plan/unequal_tuning.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace cubefold {
namespace {

const std::vector<UnequalTuning::NamedBackend> all_backends{
    {UnequalBackend::mpi, "theirs"}, {UnequalBackend::narrow, "ours"}, {UnequalBackend::by_size, "by size"}};

UnequalBackend backend_of(UnequalTuning tuning, const UnequalSizes& sizes) {
  tuning.add(tuning.new_measurements(sizes));
  return tuning.begin(sizes);
}

/// Calls begin(), end() and record_last_time() with the time that each backend takes, until no call is measured, and
/// returns the backend of the next call.
UnequalBackend chosen(UnequalTuning& tuning, const UnequalSizes& sizes, double of_mpi, double of_others) {
  do {
    if (tuning.needs_measurement(sizes)) tuning.add(tuning.new_measurements(sizes));
    tuning.end(tuning.begin(sizes) == UnequalBackend::mpi ? of_mpi : of_others);
    tuning.record_last_time(tuning.pending_seconds());
  } while (tuning.is_measuring(sizes));
  return tuning.begin(sizes);
}

TEST(UnequalTuning, uses_the_last_backend_that_can_be_used_without_measurements) {
  const UnequalTuning tuning(all_backends, 0, 4);
  EXPECT_EQ(backend_of(tuning, {100, 256, 256}), UnequalBackend::by_size);  // 4 * 4 sizes have 64 bytes
  EXPECT_EQ(backend_of(tuning, {100, 255, 255}), UnequalBackend::narrow);
  EXPECT_EQ(backend_of(tuning, {0, 0, 0}), UnequalBackend::narrow);
  EXPECT_EQ(backend_of(tuning, {std::uint64_t{1} << 31, std::uint64_t{1} << 40, std::uint64_t{1} << 40}),
            UnequalBackend::narrow);
  EXPECT_EQ(
      backend_of(tuning, {(std::uint64_t{1} << 31) - 1, std::uint64_t{1} << 40, std::uint64_t{1} << 40}),
      UnequalBackend::by_size);
  EXPECT_FALSE(tuning.is_measuring({100, 256, 256}));
  EXPECT_EQ(tuning.text({100, 256, 256}), "by size within its limits of size");
}

TEST(UnequalTuning, lets_blocks_travel_by_size_between_128_ranks_at_most) {
  EXPECT_EQ(backend_of({all_backends, 0, 128}, {1 << 20, 1 << 30, 1 << 30}), UnequalBackend::by_size);
  EXPECT_EQ(backend_of({all_backends, 0, 129}, {1 << 20, 1 << 30, 1 << 30}), UnequalBackend::narrow);
}

// 255 has one bit more than 100, 256 has two, 1023 has three, and 1024 has four.
TEST(UnequalTuning, sends_all_blocks_at_once_where_processes_send_little_but_one_block) {
  const UnequalTuning tuning({{UnequalBackend::narrow, "ours"}, {UnequalBackend::linear, "at once"}}, 0, 4);
  EXPECT_EQ(backend_of(tuning, {100, 100, 100}), UnequalBackend::linear);
  EXPECT_EQ(backend_of(tuning, {100, 255, 255}), UnequalBackend::linear);
  EXPECT_EQ(backend_of(tuning, {100, 256, 256}), UnequalBackend::narrow);
  EXPECT_EQ(backend_of(tuning, {100, 1023, 255}), UnequalBackend::linear);
  EXPECT_EQ(backend_of(tuning, {100, 1023, 256}), UnequalBackend::narrow);
  EXPECT_EQ(backend_of(tuning, {100, 1024, 255}), UnequalBackend::narrow);
}

TEST(UnequalTuning, uses_steps_where_mpi_cannot_count_the_bytes) {
  const UnequalTuning tuning({{UnequalBackend::mpi, "theirs"}}, 0, 4);
  EXPECT_EQ(backend_of(tuning, {1, (std::uint64_t{1} << 31) - 1, (std::uint64_t{1} << 31) - 1}),
            UnequalBackend::mpi);
  EXPECT_EQ(backend_of(tuning, {1, std::uint64_t{1} << 31, std::uint64_t{1} << 31}), UnequalBackend::narrow);
}

TEST(UnequalTuning, chooses_the_fastest_backend_for_each_class_of_sizes) {
  UnequalTuning tuning(all_backends, 3, 4);
  EXPECT_TRUE(tuning.is_measuring({10, 100, 100}));
  EXPECT_EQ(chosen(tuning, {10, 100, 100}, 1, 2), UnequalBackend::mpi);
  EXPECT_FALSE(tuning.is_measuring({15, 127, 127})) << "the class of 10 and 100";
  EXPECT_TRUE(tuning.is_measuring({10, 128, 128}));
  EXPECT_TRUE(tuning.is_measuring({16, 100, 100}));
  EXPECT_EQ(chosen(tuning, {10, 128, 128}, 2, 1), UnequalBackend::narrow);
  EXPECT_TRUE(tuning.text({10, 100, 100}).starts_with("theirs, fastest of ")) << tuning.text({10, 100, 100});
}

// The backend that is measured with more bytes takes longer, but not for each byte.
TEST(UnequalTuning, compares_calls_of_different_sizes_by_the_time_of_a_byte) {
  UnequalTuning tuning({all_backends[0], all_backends[1]}, 3, 4);
  while (tuning.is_measuring({10, 64, 64})) {
    UnequalSizes sizes{10, 64, 64};
    if (tuning.needs_measurement(sizes)) tuning.add(tuning.new_measurements(sizes));
    UnequalTuning ahead = tuning;
    if (ahead.begin(sizes) == UnequalBackend::narrow) sizes.process_bytes = sizes.sent_bytes = 127;
    tuning.end(tuning.begin(sizes) == UnequalBackend::mpi ? 1.0 : 1.2);
    tuning.record_last_time(tuning.pending_seconds());
  }
  EXPECT_EQ(backend_of(tuning, {10, 64, 64}), UnequalBackend::narrow);
}

TEST(UnequalTuning, ignores_the_time_of_a_call_that_failed) {
  UnequalTuning tuning({all_backends[0], all_backends[1]}, 1, 4);
  tuning.add(tuning.new_measurements({10, 100, 100}));
  const UnequalBackend first = tuning.begin({10, 100, 100});
  EXPECT_EQ(tuning.pending_seconds(), std::numeric_limits<double>::infinity());
  tuning.record_last_time(tuning.pending_seconds());
  EXPECT_EQ(tuning.pending_seconds(), 0);
  EXPECT_EQ(tuning.begin({10, 100, 100}), first) << "the backend is measured again";
}

}  // namespace
}  // namespace cubefold
