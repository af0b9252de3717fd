#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// Names what the groups of an AxisPattern are like. Every axis has a pattern of the kind `halves`. Some axes have
/// patterns of other kinds, which fit better to some patterns of other axes.
enum class PatternKind : std::uint8_t {
  halves,    ///< groups of one or two messages for each place
  quarters,  ///< groups of three messages in four classes
  fifths,    ///< groups of four messages in five classes
  ninths,    ///< groups of eight messages in nine classes
  single,    ///< groups of one message
  one_way,  ///< groups whose messages all go up or all go down, and at most one other group besides the identity
  closed,  ///< groups of one message whose classes send to where they send from, and one group that moves nobody
};

/// Describes classes of an AxisPattern that belong together. In a group, every coordinate sends `messages` messages and
/// receives as many, no two of them in one class.
struct ClassGroup {
  std::uint32_t messages;
  std::uint32_t class_count;
  bool goes_up = false;    ///< a message goes up
  bool goes_down = false;  ///< a message goes down
  bool divides = false;    ///< the group can be used as two permutations

  bool moves_nobody() const { return !goes_up && !goes_down; }
  /// Returns the number of classes of each of the permutations that a group of two messages is divided into.
  std::uint32_t half_class_count() const { return (class_count + 1) / 2; }
};

/// Divides all messages along an axis, from every coordinate to every coordinate, into classes. The messages of a class
/// share no directed link of a line of the axis, no source and no destination. A message to its own coordinate uses no
/// link. The classes form groups of one of three forms:
///
/// - One message in m classes: a permutation.
/// - Two messages in q classes, q an odd prime: every source has a label u, with its messages in the classes u + 1 and
///   u - 1 mod q, and every destination has a label v likewise.
/// - q - 1 messages in q classes, q > 3 a prime, 4 or 9: every source has a label u, the one class in which it does not
///   send, and every destination has a label v, the one class in which it does not receive.
///
/// A group of two messages divides into two permutations if its messages of class 0 have the same label at both ends.
/// The classes 0, 2, 4, ... (mod q) then belong to the two permutations in turn. The first and the last of them belong
/// to the same permutation although they are neighbours, and so class 0 is split by the labels of its messages.
class CUBEFOLD_API AxisPattern {
 public:
  /// Describes the message from one coordinate to another.
  struct Pair {
    std::uint16_t group;
    std::uint16_t class_number;      ///< class within the group
    std::uint16_t half = 0;          ///< permutation of a group that divides: 0 or 1
    std::uint16_t half_class = 0;    ///< class within this permutation
    std::uint16_t source_label = 0;  ///< u, in groups of several messages
    std::uint16_t destination_label = 0;
  };

  /// Takes the groups' numbers of messages and classes, and the class of each pair, by source and then by destination,
  /// counted through all groups. Throws std::invalid_argument for groups of another form, and unless every source and
  /// every destination has its label in each group of several messages. Costs O(extent^2).
  AxisPattern(const Axis& axis, Tie tie, std::vector<ClassGroup> groups,
              const std::vector<std::uint32_t>& class_of_pair);

  const std::vector<ClassGroup>& groups() const { return groups_; }

  const Pair& pair(std::uint32_t source, std::uint32_t destination) const {
    return pairs_[std::size_t{source} * extent_ + destination];
  }

 private:
  Pair& pair(std::uint32_t source, std::uint32_t destination) {
    return pairs_[std::size_t{source} * extent_ + destination];
  }
  std::uint16_t label_of(std::size_t group, std::uint32_t coordinate, bool is_source) const;
  void set_labels(std::size_t group);
  void divide(std::size_t group);

  std::uint32_t extent_;
  std::vector<ClassGroup> groups_;
  std::vector<Pair> pairs_;  ///< by source, then by destination
};

/// Returns the pattern of an axis, or nothing if the axis has none of this kind. Extents up to 16 have tables, which
/// tools/axis_patterns/find_pattern.py made, unless their axis_permutations() are as good. All other axes have the
/// pattern of their axis_permutations(). Takes O(extent^2) time and memory besides axis_permutations().
CUBEFOLD_API std::optional<AxisPattern> axis_pattern(const Axis& axis, Tie tie, PatternKind kind);

}  // namespace cubefold
