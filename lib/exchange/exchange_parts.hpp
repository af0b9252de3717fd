#pragma once

#include <cstddef>
#include <functional>
#include <utility>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/export.h"
#include "cubefold/schedule/schedule.hpp"

namespace cubefold {

/// Collects the messages of one rank. An algorithm says how the message of a sender is built, because both ends of a
/// message build the same one and the messages that a rank receives are not always wanted. Messages without blocks are
/// left out.
class PartBuilder {
 public:
  /// Keeps a reference to the schedule, which has all steps. With `wants_received` false, receive() does nothing.
  PartBuilder(Schedule& schedule, Rank rank, bool wants_received)
      : schedule_(schedule), rank_(rank), wants_received_(wants_received) {}

  /// Returns the rank whose messages are collected.
  Rank rank() const { return rank_; }

  /// Adds message_from(rank()) to a step.
  template <typename MessageFrom>
  void send(std::size_t step, const MessageFrom& message_from) {
    add(step, message_from(rank_));
  }

  /// Adds message_from(sender), which rank() receives, to a step.
  template <typename MessageFrom>
  void receive(std::size_t step, Rank sender, const MessageFrom& message_from) {
    if (wants_received_) add(step, message_from(sender));
  }

 private:
  void add(std::size_t step, Message message) {
    if (!message.blocks.empty()) schedule_.steps[step].push_back(std::move(message));
  }

  Schedule& schedule_;
  Rank rank_;
  bool wants_received_;
};

/// Holds an exchange as the messages of each rank. Building it does once what all ranks share: direct exchanges search
/// for their steps for up to 0.2 s, which the union of p parts could not afford p times.
struct ExchangeParts {
  std::size_t rank_count;
  std::size_t step_count;

  /// Adds the messages that one rank sends and receives. Each sender's messages of a step are added in the order in
  /// which it sends them.
  std::function<void(PartBuilder& part)> add_messages;

  /// Returns the messages that one rank sends or receives, without building the others: part_of(whole(), rank). Throws
  /// std::invalid_argument for a rank that there is not.
  CUBEFOLD_API Schedule part(Rank rank) const;

  /// Returns the messages that all ranks send. Those of a step are ordered by sender.
  CUBEFOLD_API Schedule whole() const;
};

}  // namespace cubefold
