#include "axis_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "axis_pattern_tables.hpp"
#include "axis_permutations.hpp"
#include "topology/route_segments.hpp"

namespace cubefold {

namespace {

/// Returns whether SmallField can compute with a group's classes.
bool has_field(const ClassGroup& group) {
  const std::uint32_t q = group.class_count;
  bool is_prime = q > 1;
  for (std::uint32_t divisor = 2; divisor < q; ++divisor) is_prime = is_prime && q % divisor != 0;
  if (group.messages == 2) return is_prime && q > 2;
  return group.messages == 1 || (group.messages + 1 == q && (is_prime || q == 4 || q == 9));
}

}  // namespace

AxisPattern::AxisPattern(const Axis& axis, Tie tie, std::vector<ClassGroup> groups,
                         const std::vector<std::uint32_t>& class_of_pair)
    : extent_(axis.extent), groups_(std::move(groups)) {
  std::vector<Pair> numbers;  // group and class of each class that is counted through all groups
  for (std::size_t group = 0; group < groups_.size(); ++group) {
    if (!has_field(groups_[group])) {
      throw std::invalid_argument(fmt::format("AxisPattern: {} messages in {} classes are no form of a group",
                                              groups_[group].messages, groups_[group].class_count));
    }
    for (std::uint32_t i = 0; i < groups_[group].class_count; ++i)
      numbers.push_back({static_cast<std::uint16_t>(group), static_cast<std::uint16_t>(i)});
  }
  for (const std::uint32_t number : class_of_pair) pairs_.push_back(numbers.at(number));
  const Grid line({axis});
  for (std::uint32_t from = 0; from < extent_; ++from) {
    for (std::uint32_t to = 0; to < extent_; ++to) {
      Pair& message = pair(from, to);
      ClassGroup& group = groups_[message.group];
      const auto steps = steps_between(line, 0, from, to, tie);
      group.goes_up |= steps > 0;
      group.goes_down |= steps < 0;
      message.half_class = message.class_number;
    }
  }
  for (std::size_t group = 0; group < groups_.size(); ++group) {
    if (groups_[group].messages == 1) continue;
    set_labels(group);
    if (groups_[group].messages == 2) divide(group);
  }
}

/// Returns the label of a coordinate as a source or as a destination.
std::uint16_t AxisPattern::label_of(std::size_t group, std::uint32_t coordinate, bool is_source) const {
  const std::size_t q = groups_[group].class_count;
  std::vector<bool> uses(q);
  for (std::uint32_t other = 0; other < extent_; ++other) {
    const Pair& message = is_source ? pair(coordinate, other) : pair(other, coordinate);
    if (message.group == group) uses[message.class_number] = true;
  }
  for (std::size_t label = 0; label < q; ++label) {
    const bool fits =
        groups_[group].messages == 2 ? uses[(label + 1) % q] && uses[(label + q - 1) % q] : !uses[label];
    if (fits) return static_cast<std::uint16_t>(label);
  }
  throw std::invalid_argument(
      fmt::format("AxisPattern: coordinate {} has no label in group {}", coordinate, group));
}

void AxisPattern::set_labels(std::size_t group) {
  for (std::uint32_t here = 0; here < extent_; ++here) {
    const auto sends = label_of(group, here, true);
    const auto receives = label_of(group, here, false);
    for (std::uint32_t other = 0; other < extent_; ++other) {
      if (pair(here, other).group == group) pair(here, other).source_label = sends;
      if (pair(other, here).group == group) pair(other, here).destination_label = receives;
    }
  }
}

/// Divides a group of two messages into two permutations if that is possible.
void AxisPattern::divide(std::size_t group) {
  const std::uint32_t q = groups_[group].class_count;
  std::vector<std::uint16_t> place(q);  // of a class in the order 0, 2, 4, ...
  for (std::uint32_t i = 0; i < q; ++i) place[2 * i % q] = static_cast<std::uint16_t>(i);
  groups_[group].divides = true;
  for (Pair& message : pairs_) {
    if (message.group != group) continue;
    message.half = place[message.class_number] % 2;
    message.half_class = place[message.class_number] / 2;
    if (message.class_number != 0) continue;
    if (message.source_label != message.destination_label) groups_[group].divides = false;
    // The other message of this source is in class 2 if the label is 1, and in the last class otherwise.
    message.half = message.source_label == 1 ? 0 : 1;
    message.half_class = message.source_label == 1 ? 0 : static_cast<std::uint16_t>(q / 2);
  }
}

namespace {

std::vector<ClassGroup> read_groups(const char* text) {
  std::vector<ClassGroup> groups;
  std::istringstream words(text);
  std::string word;
  while (words >> word) {
    std::istringstream parts(word);
    ClassGroup group{};
    std::size_t count = 1;
    char slash = 0;
    char star = 0;
    parts >> group.messages >> slash >> group.class_count;
    if (parts >> star) parts >> count;
    groups.insert(groups.end(), count, group);
  }
  return groups;
}

std::vector<std::uint32_t> read_classes(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-";
  std::vector<std::uint32_t> classes;
  for (const char character : text)
    if (character != ' ') classes.push_back(static_cast<std::uint32_t>(digits.find(character)));
  return classes;
}

AxisPattern pattern_of_permutations(const Axis& axis, Tie tie) {
  std::vector<ClassGroup> groups;
  std::vector<std::uint32_t> classes(std::size_t{axis.extent} * axis.extent);
  std::uint32_t before = 0;
  for (const AxisPermutation& permutation : axis_permutations(axis, {axis.extent, axis.extent}, tie)) {
    for (std::uint32_t from = 0; from < axis.extent; ++from)
      classes[std::size_t{from} * axis.extent + permutation.to[from]] = before + permutation.class_of[from];
    groups.push_back({1, permutation.class_count});
    before += permutation.class_count;
  }
  return {axis, tie, std::move(groups), classes};
}

}  // namespace

std::optional<AxisPattern> axis_pattern(const Axis& axis, Tie tie, PatternKind kind) {
  if (const AxisTable* table = axis_table(axis, tie, kind))
    return AxisPattern(axis, tie, read_groups(table->groups), read_classes(table->classes));
  if (kind != PatternKind::halves) return std::nullopt;
  return pattern_of_permutations(axis, tie);
}

}  // namespace cubefold
