#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "cubefold/plan/phase.hpp"

namespace cubefold {

/// Which ranks exchange messages with which, in either direction and in any phase.
class PartnerGraph {
 public:
  using Pair = std::pair<std::uint32_t, std::uint32_t>;

  /// Takes the pairs that exchange messages in some phase. O(messages log messages).
  PartnerGraph(std::span<const Phase> phases, std::size_t rank_count);

  /// Takes these pairs, in either order and as often as may be. Requires ranks below the count. O(pairs log pairs).
  PartnerGraph(std::vector<Pair> pairs, std::size_t rank_count);

  std::size_t rank_count() const { return first_.size() - 1; }

  /// Returns the partners of a rank in ascending order, without itself.
  std::span<const std::uint32_t> partners(std::uint32_t rank) const {
    return std::span(partners_).subspan(first_[rank], first_[rank + 1] - first_[rank]);
  }

  /// Returns the number of the pair (rank, its k-th partner) among all pair_count() of them. Each pair is listed from
  /// both ends.
  std::size_t pair(std::uint32_t rank, std::size_t k) const { return first_[rank] + k; }
  std::size_t pair_count() const { return partners_.size(); }

  bool are_partners(std::uint32_t a, std::uint32_t b) const;

  /// Returns the number of the pair (rank, partner). Requires that they are partners. O(log partners).
  std::size_t pair_of(std::uint32_t rank, std::uint32_t partner) const;

  std::size_t most_partners() const;

  /// Returns the ranks that messages connect with `start`, in the order in which a breadth-first search meets them.
  /// Leaves out ranks that are marked, and marks those that it returns.
  std::vector<std::uint32_t> met_from(std::uint32_t start, std::vector<bool>& is_marked) const;

  /// Returns all sets of connected ranks in the order of their smallest ranks, from which each is met.
  std::vector<std::vector<std::uint32_t>> components() const;

 private:
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> partners_;
};

}  // namespace cubefold
