#include "exchange/axis_pattern.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "exchange/walked_moves.hpp"

namespace cubefold {
namespace {

constexpr PatternKind all_kinds[] = {PatternKind::halves, PatternKind::quarters, PatternKind::fifths,
                                     PatternKind::ninths, PatternKind::single,   PatternKind::one_way,
                                     PatternKind::closed};

/// Returns the directed links of the message, as the coordinate that each leads from and whether it goes up.
std::set<std::pair<std::uint32_t, bool>> links_of(const Axis& axis, std::uint32_t from, std::uint32_t to,
                                                  Tie tie) {
  std::set<std::pair<std::uint32_t, bool>> links;
  if (from == to) return links;
  const bool up = goes_up(axis, from, to, tie);
  for (std::uint32_t x = from; x != to; x = up ? (x + 1) % axis.extent : (x + axis.extent - 1) % axis.extent)
    links.insert({x, up});
  return links;
}

/// Returns what is wrong with the classes of a pattern, or an empty text.
std::string class_fault(const Axis& axis, const AxisPattern& pattern, Tie tie) {
  std::map<std::pair<unsigned, unsigned>, std::set<std::pair<std::uint32_t, bool>>> links;
  std::map<std::pair<unsigned, unsigned>, std::set<std::uint32_t>> sources;
  std::map<std::pair<unsigned, unsigned>, std::set<std::uint32_t>> destinations;
  for (std::uint32_t from = 0; from < axis.extent; ++from) {
    for (std::uint32_t to = 0; to < axis.extent; ++to) {
      const auto& pair = pattern.pair(from, to);
      const auto own = std::pair<unsigned, unsigned>{pair.group, pair.class_number};
      if (pair.class_number >= pattern.groups().at(pair.group).class_count) return "no such class";
      if (!sources[own].insert(from).second) return "a source sends twice in a class";
      if (!destinations[own].insert(to).second) return "a destination receives twice in a class";
      for (const auto& link : links_of(axis, from, to, tie))
        if (!links[own].insert(link).second) return "two messages of a class share a link";
    }
  }
  return "";
}

/// Returns what is wrong with the groups of a pattern, or an empty text.
std::string group_fault(const Axis& axis, const AxisPattern& pattern) {
  for (std::uint32_t here = 0; here < axis.extent; ++here) {
    std::vector<std::uint32_t> sent(pattern.groups().size()), received(pattern.groups().size());
    for (std::uint32_t other = 0; other < axis.extent; ++other) {
      ++sent[pattern.pair(here, other).group];
      ++received[pattern.pair(other, here).group];
    }
    for (std::size_t g = 0; g < sent.size(); ++g) {
      if (sent[g] != pattern.groups()[g].messages || received[g] != pattern.groups()[g].messages)
        return "a coordinate has another number of messages in a group";
    }
  }
  return "";
}

/// Returns what is wrong with the labels of a pattern, or an empty text.
std::string label_fault(const Axis& axis, const AxisPattern& pattern) {
  for (std::uint32_t from = 0; from < axis.extent; ++from) {
    for (std::uint32_t to = 0; to < axis.extent; ++to) {
      const auto& pair = pattern.pair(from, to);
      const ClassGroup& group = pattern.groups()[pair.group];
      if (group.messages == 1) continue;
      for (const unsigned label : {pair.source_label, pair.destination_label}) {
        const unsigned above = (pair.class_number + group.class_count - label) % group.class_count;
        if (group.messages == 2 ? above != 1 && above != group.class_count - 1 : above == 0)
          return "a message is in no class of its labels";
      }
    }
  }
  return "";
}

/// Returns what is wrong with the permutations that groups are divided into, or an empty text.
std::string half_fault(const Axis& axis, const AxisPattern& pattern, Tie tie) {
  std::map<std::array<unsigned, 2>, std::set<std::uint32_t>> sources, destinations;
  std::map<std::array<unsigned, 3>, std::set<std::pair<std::uint32_t, bool>>> links;
  for (std::uint32_t from = 0; from < axis.extent; ++from) {
    for (std::uint32_t to = 0; to < axis.extent; ++to) {
      const auto& pair = pattern.pair(from, to);
      const ClassGroup& group = pattern.groups()[pair.group];
      if (!group.divides) continue;
      if (pair.half_class >= group.half_class_count()) return "no such class of a half";
      if (!sources[{pair.group, pair.half}].insert(from).second) return "a source sends twice in a half";
      if (!destinations[{pair.group, pair.half}].insert(to).second)
        return "a destination receives twice in a half";
      for (const auto& link : links_of(axis, from, to, tie))
        if (!links[{pair.group, pair.half, pair.half_class}].insert(link).second)
          return "two messages of a half share a link";
    }
  }
  return "";
}

std::string fault_of(const Axis& axis, const AxisPattern& pattern, Tie tie) {
  for (const auto& fault : {class_fault(axis, pattern, tie), group_fault(axis, pattern),
                            label_fault(axis, pattern), half_fault(axis, pattern, tie)}) {
    if (!fault.empty()) return fault;
  }
  return "";
}

TEST(AxisPattern, keeps_the_rules_of_classes_and_groups) {
  std::size_t count = 0;
  for (std::uint32_t extent = 2; extent <= 40; ++extent) {
    for (const Ends ends : {Ends::open, Ends::wrapped}) {
      for (const Tie tie : {Tie::balanced, Tie::positive}) {
        for (const PatternKind kind : all_kinds) {
          const Axis axis{extent, ends};
          const auto pattern = axis_pattern(axis, tie, kind);
          if (!pattern) continue;
          ++count;
          EXPECT_EQ(fault_of(axis, *pattern, tie), "") << to_string(Grid({axis})) << ' ' << to_string(tie);
        }
      }
    }
  }
  EXPECT_GT(count, 4 * 39U);
}

std::size_t class_count(const AxisPattern& pattern) {
  std::size_t count = 0;
  for (const ClassGroup& group : pattern.groups()) count += group.class_count;
  return count;
}

std::size_t messages_over_busiest_link(const Axis& axis, Tie tie) {
  std::map<std::pair<std::uint32_t, bool>, std::size_t> loads;
  std::size_t most = 0;
  for (std::uint32_t from = 0; from < axis.extent; ++from) {
    for (std::uint32_t to = 0; to < axis.extent; ++to)
      for (const auto& link : links_of(axis, from, to, tie)) most = std::max(most, ++loads[link]);
  }
  return most;
}

// With fewer messages over the busiest link than places, the k messages of each place need k classes.
TEST(AxisPattern, has_as_few_classes_as_the_busiest_link_has_messages_up_to_extent_16) {
  for (std::uint32_t k = 5; k <= 16; ++k) {
    for (const Axis axis : {Axis{k, Ends::open}, Axis{k, Ends::wrapped}}) {
      for (const Tie tie : {Tie::balanced, Tie::positive}) {
        EXPECT_EQ(class_count(axis_pattern(axis, tie, PatternKind::halves).value()),
                  std::max<std::size_t>(k, messages_over_busiest_link(axis, tie)))
            << to_string(Grid({axis})) << ' ' << to_string(tie);
      }
    }
  }
}

TEST(AxisPattern, of_one_way_has_groups_that_go_up_or_down_only) {
  for (const Tie tie : {Tie::balanced, Tie::positive}) {
    for (const std::uint32_t extent : {4U, 5U, 7U}) {
      const auto pattern = axis_pattern({extent, Ends::wrapped}, tie, PatternKind::one_way);
      std::size_t one_way = 0;
      for (const ClassGroup& group : pattern.value().groups())
        one_way += group.goes_up != group.goes_down ? 1 : 0;
      EXPECT_GE(one_way, 2U) << extent << ' ' << to_string(tie);
      EXPECT_GE(one_way + 2, pattern->groups().size()) << "the identity and one other group may go both ways";
    }
  }
}

TEST(AxisPattern, of_other_kinds_exists_for_tables_only) {
  EXPECT_TRUE(axis_pattern({9, Ends::wrapped}, Tie::balanced, PatternKind::ninths));
  EXPECT_FALSE(axis_pattern({9, Ends::open}, Tie::balanced, PatternKind::ninths));
  EXPECT_FALSE(axis_pattern({17, Ends::open}, Tie::balanced, PatternKind::single));
}

// These patterns are broken on purpose, to see that the checks above can fail.
TEST(AxisPattern, that_is_broken_is_noticed) {
  const auto fault = [](std::uint32_t extent, const std::vector<std::uint32_t>& classes,
                        const std::vector<ClassGroup>& groups) {
    const Axis line{extent, Ends::open};
    return fault_of(line, AxisPattern(line, Tie::balanced, groups, classes), Tie::balanced);
  };
  const std::vector<ClassGroup> three(3, {1, 1});
  EXPECT_EQ(fault(3, {0, 1, 2, 2, 0, 1, 1, 2, 0}, three), "");
  EXPECT_EQ(fault(3, {0, 1, 1, 2, 0, 1, 1, 2, 0}, three), "a source sends twice in a class");
  EXPECT_EQ(fault(3, {0, 1, 2, 0, 2, 1, 1, 2, 0}, three), "a destination receives twice in a class");
  EXPECT_EQ(fault(3, {0, 1, 2, 2, 0, 1, 1, 2, 0}, {{1, 2}, {1, 1}}),
            "a coordinate has another number of messages in a group");
  EXPECT_EQ(fault(4, {0, 1, 2, 3, 1, 0, 3, 2, 2, 3, 0, 1, 3, 2, 1, 0}, std::vector<ClassGroup>(4, {1, 1})),
            "two messages of a class share a link");
}

TEST(AxisPattern, of_groups_without_a_field_is_refused) {
  const Axis line{2, Ends::open};
  for (const ClassGroup& group : {ClassGroup{2, 9}, ClassGroup{7, 8}, ClassGroup{3, 5}, ClassGroup{2, 4}})
    EXPECT_THROW(AxisPattern(line, Tie::balanced, {group}, {0, 1, 2, 3}), std::invalid_argument);
}

TEST(AxisPattern, without_a_label_is_refused) {
  const Axis line{2, Ends::open};
  EXPECT_THROW(AxisPattern(line, Tie::balanced, {{2, 3}}, {0, 0, 1, 2}), std::invalid_argument);
}

}  // namespace
}  // namespace cubefold
