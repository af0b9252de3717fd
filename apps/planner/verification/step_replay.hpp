#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "planner/verification/chunk_replay.hpp"
#include "planner/verification/network.hpp"
#include "planner/verification/schedule_claims.hpp"

namespace cubefold::planner {

/// Holds the current node of every block, by source and destination. Takes 8 bytes for each of the nodes^2 blocks.
class Holders {
 public:
  static constexpr std::size_t under_way = static_cast<std::size_t>(-1);

  /// Puts every block on its source.
  explicit Holders(std::size_t node_count);

  std::size_t& of(const MessageClaim::Block& block) {
    return holders_[block.source * node_count_ + block.destination];
  }

  /// Returns a text with the first block that is not on its destination and the number of such blocks. Returns nothing
  /// if all blocks are on their destinations.
  std::optional<std::string> undelivered() const;

 private:
  std::size_t node_count_;
  std::vector<std::size_t> holders_;
};

/// The errors of one message in its step.
struct MessageFaults {
  std::optional<std::string> conflict;  ///< another message of the step uses its port or link
  std::optional<std::string> other;     ///< an error of its nodes or blocks
};

/// Replays a schedule step by step. The caller sends all messages of a step before the first one arrives, so a message
/// cannot forward a block that another message of the same step brings.
class StepReplay {
 public:
  /// Replays the collective of the claims, with their chunks, or a complete exchange if they name none.
  StepReplay(const Network& network, const ScheduleClaims& claims);

  void begin_step() {
    ++step_;
    if (values_) values_->begin_step();
  }

  /// Sends the message with this number in the step. Returns its first error of each kind.
  MessageFaults send(std::size_t index, const MessageClaim& message);

  /// Lets the message arrive that has this number in the step. Returns its first error, if it reduces chunks.
  std::optional<std::string> arrive(std::size_t index, const MessageClaim& message);

  std::optional<std::string> undelivered() const {
    return values_ ? values_->missing() : holders_.undelivered();
  }

  /// Returns the number of blocks or chunks that the busiest link has carried so far.
  std::size_t busiest_link_blocks() const;

 private:
  /// The last message that used a port or a link, and the number of messages that did in its step.
  struct Use {
    std::size_t step = std::numeric_limits<std::size_t>::max();
    std::size_t message = 0;
    std::size_t count = 0;
  };

  std::optional<std::size_t> other_user(Use& use, std::size_t message, std::size_t capacity = 1) const;
  std::optional<std::string> wrong_node(const MessageClaim& message) const;
  std::optional<std::string> taken_port(std::size_t index, const MessageClaim& message);
  std::optional<std::string> taken_link(std::size_t index, const MessageClaim& message);
  std::optional<std::string> missing_block(const MessageClaim& message);

  const Network& network_;
  bool is_one_port_;
  std::size_t chunk_count_;
  Holders holders_;                      ///< of no blocks if there are chunks
  std::unique_ptr<ChunkReplay> values_;  ///< set if there are chunks
  std::size_t step_ = 0;
  std::vector<Use> senders_;         ///< by node
  std::vector<Use> receivers_;       ///< by node
  std::vector<Use> links_;           ///< by number of the link
  std::vector<std::size_t> blocks_;  ///< blocks over each link in all steps
};

}  // namespace cubefold::planner
