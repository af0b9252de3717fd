#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "collective.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/schedule.hpp"

namespace cubefold {

/// Describes where a schedule fails to be a collective.
struct DeliveryFault {
  enum class Kind : std::uint8_t {
    no_such_rank,            ///< a rank of the message does not exist, or the collective has no such chunk
    message_to_itself,       ///< from and to are equal
    block_not_held,          ///< the sender does not hold the chunk, or sends a chunk twice that moves
    leaves_destination,      ///< the chunk is on the only rank that wants it
    nothing_to_reduce_with,  ///< the message reduces, but the receiver does not hold the chunk
    arrives_twice,           ///< two messages of a step bring the same chunk, and their order matters
    contribution_twice,      ///< the message reduces, and both ends have the contribution of one rank
    not_delivered,           ///< after the last step the block is not at its destination
    contribution_missing,    ///< after the last step a rank lacks a contribution to a chunk that it wants
    other_order,  ///< after the last step a rank has reduced a chunk in another order than a rank before it
    out_of_order,  ///< after the last step the operands of a reduction of the chunk are not in the order of the ranks
  };

  Kind kind;
  std::size_t step;  ///< number of steps for those that are found after the last step
  Rank holder;       ///< the sender up to leaves_destination; else the rank that receives or has the block
  Block block;       ///< unspecified for message_to_itself
  Rank contribution = Rank{0};  ///< for contribution_twice and contribution_missing

  bool operator==(const DeliveryFault&) const = default;
};

/// Values of a chunk, by number. A value is a tree of reductions, in which the order of two operands does not matter:
/// equal numbers are equal trees. Each has the set of the ranks whose contributions it contains. Takes rank_count / 8
/// bytes for each value.
class CUBEFOLD_API ReducedValues {
 public:
  using Value = std::uint32_t;

  /// The value of a chunk that a rank does not hold.
  static constexpr Value none = 0;

  /// Requires fewer than 2^32 values.
  explicit ReducedValues(std::size_t rank_count);

  /// Returns the contribution of one rank.
  static Value of(Rank rank) { return 1 + label(rank); }

  /// Returns the first rank that has contributed to both values, or nothing.
  std::optional<Rank> common(Value a, Value b) const;

  /// Returns the reduction of two values, which must have no contribution in common.
  Value reduced(Value a, Value b);

  /// Returns whether all contributions of `left` are those of lower ranks than all of `right`. Requires that both have
  /// some.
  bool are_in_order(Value left, Value right) const;

  bool contains(Value value, Rank rank) const {
    return value != none && (words(value)[label(rank) / 64] >> (label(rank) % 64) & 1) != 0;
  }

 private:
  const std::uint64_t* words(Value value) const { return sets_.data() + value * word_count_; }

  std::size_t word_count_;
  std::vector<std::uint64_t> sets_;
  std::unordered_map<std::uint64_t, Value> reductions_;
};

/// Replays a collective that comes step by step, so that a schedule that is too large for memory can be checked while
/// it is built. At the start every rank holds its contributions. A message replaces the receiver's value of each of its
/// chunks, or is reduced with it. At the end every rank must hold the chunks that it wants, each with every
/// contribution once. The messages of a step take the values that are held when the step begins. Memory: 4 bytes for
/// each block of a complete exchange. For other collectives, 8 bytes for each chunk on each rank, and ReducedValues.
class CUBEFOLD_API DeliveryCheck {
 public:
  explicit DeliveryCheck(const Collective& collective);

  /// Replays the next step and returns its first fault, or nothing. After a fault, the results of further calls are
  /// meaningless. Costs O(blocks moved) in a complete exchange, else O(rank_count) for every reduction that is new.
  std::optional<DeliveryFault> add(const Step& step);

  /// Returns the first chunk that is not complete, after the steps so far, on a rank that wants it, or nothing. Costs
  /// O(rank_count^2) in a complete exchange, else O(rank_count^2 chunk_count).
  std::optional<DeliveryFault> undelivered() const;

  /// Returns the first chunk that, after the steps so far, two ranks that want it have reduced in different orders, so
  /// that they may differ in the last bits of sums, or nothing. Operands may change places. The fault names the later
  /// rank. Costs O(ranks chunks).
  std::optional<DeliveryFault> unequal() const;

  /// Returns the first chunk that, after the steps so far, a rank that wants it has reduced with operands in another
  /// order than that of the ranks, or nothing. An operation that does not commute gives another result then. If there
  /// is none, and unequal() finds nothing, all ranks have the same bits of every operation. Costs O(ranks chunks).
  std::optional<DeliveryFault> out_of_order() const;

 private:
  using Value = ReducedValues::Value;

  /// The value of a chunk that a rank holds.
  struct Held {
    Value value;
    bool has_arrived = false;  ///< in the present step
    bool is_in_order = true;   ///< the operands of all its reductions are in the order of the ranks
  };

  bool exists(Rank rank) const { return label(rank) < collective_.rank_count(); }
  std::size_t index_of(const Block& block) const {
    return label(block.source) * collective_.rank_count() + label(block.destination);
  }
  Held& held_on(Rank rank, const Block& chunk) {
    return held_[label(rank) * collective_.chunk_count() + label(chunk.source)];
  }
  DeliveryFault fault_of(DeliveryFault::Kind kind, Rank holder, const Block& block) const {
    return {kind, step_count_, holder, block};
  }
  std::optional<DeliveryFault> depart(const Message& message);
  std::optional<DeliveryFault> take_blocks(const Message& message);
  std::optional<DeliveryFault> put_blocks(const Message& message);
  std::optional<DeliveryFault> read_values(const Message& message);
  std::optional<DeliveryFault> write_values(const Message& message);
  std::optional<DeliveryFault> not_at_destination() const;
  std::optional<DeliveryFault> incomplete() const;
  Held reduced(const Held& left, const Held& right);

  /// Returns the fault of the first chunk on a rank that wants it for which is_wrong(held, chunk number) is true.
  template <typename IsWrong>
  std::optional<DeliveryFault> first_wrong(DeliveryFault::Kind kind, IsWrong is_wrong) const;

  Collective collective_;
  std::size_t step_count_ = 0;
  std::vector<Rank> holders_;  ///< of each block, if chunks move; else empty
  ReducedValues reduced_;
  std::vector<Held> held_;         ///< of each chunk on each rank, if chunks are copied; else empty
  std::vector<Held> sent_;         ///< by the messages of this step, in order
  std::size_t arrived_count_ = 0;  ///< the number of values of sent_ that have arrived
};

/// Returns the first fault that DeliveryCheck finds in the steps of the schedule or after the last one, or nothing.
CUBEFOLD_API std::optional<DeliveryFault> first_delivery_fault(const Schedule& schedule,
                                                               const Collective& collective);

/// Does this for a complete exchange.
CUBEFOLD_API std::optional<DeliveryFault> first_delivery_fault(const Schedule& schedule);

/// Returns what DeliveryCheck::unequal() finds after the last step. Requires a schedule without a fault.
CUBEFOLD_API std::optional<DeliveryFault> first_unequal_value(const Schedule& schedule,
                                                              const Collective& collective);

/// Returns what DeliveryCheck::out_of_order() finds after the last step. Requires a schedule without a fault.
CUBEFOLD_API std::optional<DeliveryFault> first_value_out_of_order(const Schedule& schedule,
                                                                   const Collective& collective);

/// Returns one line that names the step, the rank and the block.
CUBEFOLD_API std::string describe(const DeliveryFault& fault);

}  // namespace cubefold
