#include "closed_permutations.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "axis_pattern.hpp"

namespace cubefold {

namespace {

/// Returns the groups of a pattern of the kind `closed` as permutations, but for the group that moves nobody.
std::vector<AxisPermutation> permutations_of(const AxisPattern& pattern, std::uint32_t extent) {
  std::vector<AxisPermutation> permutations;
  for (const ClassGroup& group : pattern.groups()) {
    const std::vector<std::uint32_t> none(extent);
    permutations.push_back({none, none, none, group.class_count, true});
  }
  for (std::uint32_t from = 0; from < extent; ++from) {
    for (std::uint32_t to = 0; to < extent; ++to) {
      const AxisPattern::Pair& pair = pattern.pair(from, to);
      AxisPermutation& own = permutations[pair.group];
      own.to[from] = to;
      own.from[to] = from;
      own.class_of[from] = pair.class_number;
    }
  }
  std::erase_if(permutations, is_identity);
  return permutations;
}

std::optional<AxisPattern> pattern_of(const Axis& axis, Tie tie, Tables tables) {
  if (tables == Tables::no) return std::nullopt;
  return axis_pattern(axis, tie, PatternKind::closed);
}

}  // namespace

std::optional<std::vector<AxisPermutation>> closed_permutations(const Axis& axis, Tie tie, Tables tables) {
  std::vector<AxisPermutation> permutations;
  if (const auto pattern = pattern_of(axis, tie, tables)) {
    permutations = permutations_of(*pattern, axis.extent);
  } else {
    permutations = axis_permutations(axis, {axis.extent, axis.extent}, tie);
    std::erase_if(permutations, is_identity);
    if (!std::all_of(permutations.begin(), permutations.end(), [](const auto& each) { return each.closed; }))
      return std::nullopt;
  }
  std::stable_sort(permutations.begin(), permutations.end(),
                   [](const auto& a, const auto& b) { return a.class_count > b.class_count; });
  return permutations;
}

std::optional<std::vector<std::uint32_t>> closed_class_counts(const Axis& axis, Tie tie, Tables tables) {
  std::vector<std::uint32_t> counts;
  if (const auto pattern = pattern_of(axis, tie, tables)) {
    for (const ClassGroup& group : pattern->groups())
      if (!group.moves_nobody()) counts.push_back(group.class_count);
  } else {
    for (const PermutationShape& shape : permutation_shapes(axis, {axis.extent, axis.extent}, tie)) {
      if (shape.moves_nobody) continue;
      if (!shape.closed) return std::nullopt;
      counts.push_back(shape.class_count);
    }
  }
  std::sort(counts.begin(), counts.end(), std::greater<>());
  return counts;
}

}  // namespace cubefold
