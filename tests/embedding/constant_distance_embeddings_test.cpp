// These tests check the optimality of xor on rings, [Xor] section 5, by a search of all constant-distance embeddings.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>
#include <ostream>
#include <string>
#include <vector>

#include "cubefold/embedding/dilation.hpp"
#include "support/sweep.hpp"

namespace cubefold {
namespace {

/// Counts the embeddings of the d-cube on a ring of 2^d nodes that have rank 0 on node 0 and one distance between
/// neighbours in each dimension. Ranks are placed in ascending order. The node of rank 2^i chooses the distance of
/// dimension i. Every other rank takes the nodes that the distances to its lower neighbours allow.
class ConstantDistanceEmbeddings {
 public:
  explicit ConstantDistanceEmbeddings(int d)
      : node_count_(1 << d),
        node_of_(static_cast<std::size_t>(node_count_)),
        distances_(static_cast<std::size_t>(d)) {
    used_.resize(node_of_.size());
    used_[0] = true;
    place(1);
  }

  std::uint64_t count() const { return count_; }
  int smallest_sum() const { return smallest_sum_; }

 private:
  void place(std::uint32_t rank) {
    if (rank == node_of_.size()) {
      ++count_;
      smallest_sum_ = std::min(smallest_sum_, std::accumulate(distances_.begin(), distances_.end(), 0));
      return;
    }
    const auto top = static_cast<int>(std::bit_width(rank)) - 1;
    const int below = node_of_[rank ^ (1U << top)];
    if (std::has_single_bit(rank)) {
      for (int node = 1; node < node_count_; ++node) {
        distances_[static_cast<std::size_t>(top)] = distance(0, node);
        try_node(rank, node);
      }
      return;
    }
    const int hops = distances_[static_cast<std::size_t>(top)];
    try_node(rank, (below + hops) % node_count_);
    if (2 * hops != node_count_) try_node(rank, (below - hops + node_count_) % node_count_);
  }

  void try_node(std::uint32_t rank, int node) {
    const auto place_of_node = static_cast<std::size_t>(node);
    if (used_[place_of_node] || !keeps_distances(rank, node)) return;
    used_[place_of_node] = true;
    node_of_[rank] = node;
    place(rank + 1);
    used_[place_of_node] = false;
  }

  bool keeps_distances(std::uint32_t rank, int node) const {
    for (auto bits = rank; bits != 0; bits &= bits - 1) {
      const int i = std::countr_zero(bits);
      if (distance(node_of_[rank ^ (1U << i)], node) != distances_[static_cast<std::size_t>(i)]) return false;
    }
    return true;
  }

  int distance(int a, int b) const {
    const int direct = a < b ? b - a : a - b;
    return std::min(direct, node_count_ - direct);
  }

  int node_count_;
  std::vector<int> node_of_;
  std::vector<int> distances_;
  std::vector<bool> used_;
  std::uint64_t count_ = 0;
  int smallest_sum_ = std::numeric_limits<int>::max();
};

TEST(ConstantDistanceEmbeddings, are_as_many_as_are_found_among_all_bijections) {
  for (int d = 1; d <= 3; ++d) {
    PlacementRule rule;
    for (std::uint32_t n = 0; n < 1U << d; ++n) rule.nodes.push_back(GridNode{n});
    std::uint64_t found = 0;
    do {
      const auto distances = constant_distances(Placement(Grid({1U << d}, Ends::wrapped), rule));
      if (std::find(distances.begin(), distances.end(), std::nullopt) == distances.end()) ++found;
    } while (std::next_permutation(rule.nodes.begin() + 1, rule.nodes.end()));
    EXPECT_EQ(ConstantDistanceEmbeddings(d).count(), found) << d;
  }
}

struct Exhausted {
  int d;
  std::uint64_t count;
  int smallest_sum;
};

void PrintTo(const Exhausted& row, std::ostream* out) {
  *out << "d = " << row.d;
}

class XorOnRings : public testing::TestWithParam<Exhausted> {};

TEST_P(XorOnRings, has_the_smallest_sum_of_all_constant_distance_embeddings) {
  const auto [d, count, smallest_sum] = GetParam();
  if (d == 5 && !sweeps_take_all()) GTEST_SKIP() << "only ./dev test --all takes the time for this search";
  const ConstantDistanceEmbeddings all(d);
  EXPECT_EQ(all.count(), count);
  EXPECT_EQ(all.smallest_sum(), smallest_sum);
  EXPECT_EQ(all.smallest_sum(), 3 * (1 << (d - 2)) - 1);

  int sum_of_xor = 0;
  const Placement xor_(parse_grid("ring:" + std::to_string(1 << d)), parse_placement("xor"));
  for (const auto& distance : constant_distances(xor_)) sum_of_xor += static_cast<int>(distance.value());
  EXPECT_EQ(sum_of_xor, all.smallest_sum());
}

// The counts up to d = 4 and all sums are from spec section 2. The last count is a result of this search.
INSTANTIATE_TEST_SUITE_P(Rows, XorOnRings,
                         testing::Values(Exhausted{2, 6, 2}, Exhausted{3, 96, 5}, Exhausted{4, 3840, 11},
                                         Exhausted{5, 368640, 23}));

}  // namespace
}  // namespace cubefold
