#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/schedule/schedule.hpp"

namespace cubefold {

/// Describes where a schedule fails to be a complete exchange.
struct DeliveryFault {
  enum class Kind : std::uint8_t {
    no_such_rank,        ///< a rank or block of the message is not below rank_count
    message_to_itself,   ///< from and to are equal
    block_not_held,      ///< the sender does not hold the block, or sends it twice in the step
    leaves_destination,  ///< the block was already where it belongs
    not_delivered,       ///< after the last step the block is not at its destination
  };

  Kind kind;
  std::size_t step;  ///< number of steps for not_delivered
  Rank holder;       ///< the sender; for not_delivered the rank that is left with the block
  Block block;       ///< unspecified for message_to_itself

  bool operator==(const DeliveryFault&) const = default;
};

/// Replays a complete exchange that comes step by step, so that a schedule that is too large for memory can be checked
/// while it is built. At the start rank r holds the blocks (r, j) for all j. At the end rank j must hold the blocks (r,
/// j) for all r, each delivered once. The messages of a step take the blocks that are held when the step begins.
/// Memory: 4 bytes for each of the rank_count^2 blocks.
class CUBEFOLD_API DeliveryCheck {
 public:
  explicit DeliveryCheck(std::size_t rank_count);

  /// Replays the next step and returns its first fault, or nothing. After a fault, the results of further calls are
  /// meaningless. Costs O(blocks moved).
  std::optional<DeliveryFault> add(const Step& step);

  /// Returns the first block that the steps so far leave elsewhere than at its destination, or nothing. Costs
  /// O(rank_count^2).
  std::optional<DeliveryFault> undelivered() const;

 private:
  bool exists(Rank rank) const { return label(rank) < rank_count_; }
  std::size_t index_of(const Block& block) const;
  std::optional<DeliveryFault> depart(const Message& message);

  std::size_t rank_count_;
  std::size_t step_count_ = 0;
  std::vector<Rank> holders_;
};

/// Returns the first fault that DeliveryCheck finds in the steps of the schedule or after the last one, or nothing.
CUBEFOLD_API std::optional<DeliveryFault> first_delivery_fault(const Schedule& schedule);

/// Returns one line that names the step, the rank and the block.
CUBEFOLD_API std::string describe(const DeliveryFault& fault);

}  // namespace cubefold
