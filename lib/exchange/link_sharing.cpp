#include "link_sharing.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "../topology/legs.hpp"
#include "taken_links.hpp"

namespace cubefold {

namespace {

std::int64_t steps(const Grid& line, const AxisPermutation& permutation, std::uint32_t from, Tie tie) {
  return steps_between(line, 0, from, permutation.to[from], tie);
}

std::int64_t total_hops(const Grid& line, const AxisPermutation& permutation, Tie tie) {
  std::int64_t hops = 0;
  for (std::uint32_t x = 0; x < line.extent(0); ++x) hops += std::abs(steps(line, permutation, x, tie));
  return hops;
}

struct Group {
  std::vector<AxisPermutation> members;
  TakenLinks links;

  bool take(const Grid& line, const AxisPermutation& permutation, Tie tie) {
    TakenLinks tried = links;
    for (std::uint32_t x = 0; x < line.extent(0); ++x) {
      if (!tried.take(x, steps(line, permutation, x, tie))) return false;
    }
    links = std::move(tried);
    members.push_back(permutation);
    return true;
  }
};

}  // namespace

bool is_identity(const AxisPermutation& permutation) {
  return std::is_sorted(permutation.to.begin(), permutation.to.end());
}

PermutationGroups one_by_one(PermutationGroups groups) {
  PermutationGroups result;
  for (auto& group : groups) {
    for (auto& permutation : group) result.push_back({std::move(permutation)});
  }
  return result;
}

PermutationGroups link_sharing_groups(const Axis& axis, const Digit& digit, Tie tie,
                                      std::vector<AxisPermutation> permutations) {
  if (digit.radix == 2) {
    // The messages that go nowhere take the classes of the others, so that a node is in one class in both.
    permutations[0].class_of = permutations[1].class_of;
    permutations[0].class_count = permutations[1].class_count;
    return {std::move(permutations)};
  }
  if (axis.extent > 4) return one_by_one({std::move(permutations)});
  const Grid line({axis});
  std::stable_sort(permutations.begin(), permutations.end(), [&](const auto& a, const auto& b) {
    return total_hops(line, a, tie) > total_hops(line, b, tie);
  });
  std::vector<Group> groups;
  for (const auto& permutation : permutations) {
    const bool placed = std::any_of(groups.begin(), groups.end(),
                                    [&](Group& group) { return group.take(line, permutation, tie); });
    if (placed) continue;
    groups.push_back({{}, TakenLinks(axis.extent)});
    if (!groups.back().take(line, permutation, tie)) return one_by_one({std::move(permutations)});
  }
  const auto equal = [&](const Group& group) {
    return group.members.size() == groups.front().members.size();
  };
  if (!std::all_of(groups.begin(), groups.end(), equal)) return one_by_one({std::move(permutations)});
  PermutationGroups result;
  for (auto& group : groups) result.push_back(std::move(group.members));
  return result;
}

}  // namespace cubefold
