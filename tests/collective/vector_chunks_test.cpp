#include "collective/vector_chunks.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace cubefold {
namespace {

using Counts = std::vector<std::size_t>;

Counts chunks_of(const Counts& blocks, std::size_t parts) {
  return chunk_counts(blocks, parts);
}

TEST(ChunkCounts, divide_a_vector_into_chunks_that_differ_by_one_element_at_most) {
  EXPECT_EQ(chunks_of({8}, 4), (Counts{2, 2, 2, 2}));
  EXPECT_EQ(chunks_of({10}, 4), (Counts{3, 3, 2, 2}));
  EXPECT_EQ(chunks_of({3}, 4), (Counts{1, 1, 1, 0}));
  EXPECT_EQ(chunks_of({0}, 4), (Counts{0, 0, 0, 0}));
}

TEST(ChunkCounts, divide_the_block_of_each_owner_apart) {
  EXPECT_EQ(chunks_of({5, 0, 1}, 2), (Counts{3, 2, 0, 0, 1, 0}));
  EXPECT_EQ(chunks_of({5, 0, 1}, 1), (Counts{5, 0, 1}));
  EXPECT_EQ(chunks_of({}, 3), Counts());
}

TEST(ChunkCounts, have_all_elements_once) {
  for (std::size_t count = 0; count < 40; ++count) {
    for (std::size_t parts = 1; parts < 20; ++parts) {
      const Counts counts = chunks_of({count, 7}, parts);
      ASSERT_EQ(counts.size(), 2 * parts);
      EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::size_t{0}), count + 7);
    }
  }
}

}  // namespace
}  // namespace cubefold
