#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "planner/verification/network.hpp"
#include "planner/verification/schedule_claims.hpp"

namespace cubefold::planner {

/// On which node every block is, by source and destination. 8 bytes for each of the nodes^2 blocks.
class Holders {
 public:
  static constexpr std::size_t under_way = static_cast<std::size_t>(-1);

  /// At first all are at their sources.
  explicit Holders(std::size_t node_count);

  std::size_t& of(const MessageClaim::Block& block) {
    return holders_[block.source * node_count_ + block.destination];
  }

  /// The first block that is not at its destination, and how many are not; nothing if all are.
  std::optional<std::string> undelivered() const;

 private:
  std::size_t node_count_;
  std::vector<std::size_t> holders_;
};

/// Replays one step. All messages are sent before the first arrives, so that none can carry on what another brings.
class StepReplay {
 public:
  StepReplay(const Network& network, bool is_one_port, Holders& holders)
      : network_(network), is_one_port_(is_one_port), holders_(holders) {}

  /// What is wrong with the message of this number in the step, if anything.
  std::optional<std::string> send(std::size_t index, const MessageClaim& message);

  void arrive(const MessageClaim& message);

  /// Blocks on links so far.
  const Network::Loads& loads() const { return loads_; }

 private:
  template <typename Thing>
  using FirstUses = std::map<Thing, std::size_t>;  ///< the message that uses it

  std::optional<std::string> wrong_node(const MessageClaim& message) const;
  std::optional<std::string> taken_port(std::size_t index, const MessageClaim& message);
  std::optional<std::string> taken_link(std::size_t index, const MessageClaim& message);
  std::optional<std::string> missing_block(const MessageClaim& message);

  const Network& network_;
  bool is_one_port_;
  Holders& holders_;
  FirstUses<std::size_t> senders_;
  FirstUses<std::size_t> receivers_;
  FirstUses<std::pair<std::size_t, std::size_t>> links_;
  Network::Loads loads_;
};

}  // namespace cubefold::planner
