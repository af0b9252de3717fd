#include "link_sharing.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

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

bool take_all(TakenLinks& links, const Grid& line, const AxisPermutation& permutation, Tie tie) {
  TakenLinks tried = links;
  for (std::uint32_t x = 0; x < line.extent(0); ++x) {
    if (!tried.take(x, steps(line, permutation, x, tie))) return false;
  }
  links = std::move(tried);
  return true;
}

}  // namespace

PermutationGroups one_by_one(const PermutationGroups& groups) {
  PermutationGroups result;
  for (const auto& group : groups) {
    for (const auto member : group) result.push_back({member});
  }
  return result;
}

PermutationGroups link_sharing_groups(const Axis& axis, const Digit& digit, Tie tie) {
  if (digit.radix == 2) return {{0, 1}};
  std::vector<std::uint32_t> order(digit.radix);
  std::iota(order.begin(), order.end(), 0U);
  if (axis.extent > 4) return one_by_one({order});
  const Grid line({axis});
  const auto permutations = axis_permutations(axis, digit, tie);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
    return total_hops(line, permutations[a], tie) > total_hops(line, permutations[b], tie);
  });
  PermutationGroups groups;
  std::vector<TakenLinks> links;
  for (const auto member : order) {
    std::size_t group = 0;
    while (group < groups.size() && !take_all(links[group], line, permutations[member], tie)) ++group;
    if (group == groups.size()) {
      links.emplace_back(axis.extent);
      if (!take_all(links.back(), line, permutations[member], tie)) return one_by_one({order});
      groups.emplace_back();
    }
    groups[group].push_back(member);
  }
  const auto equal = [&](const auto& group) { return group.size() == groups.front().size(); };
  return std::all_of(groups.begin(), groups.end(), equal) ? groups : one_by_one({order});
}

}  // namespace cubefold
