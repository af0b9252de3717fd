#include "planner/verification/step_replay.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "planner/verification/chunk_values.hpp"
#include "planner/verification/edge_blocks.hpp"

namespace cubefold::planner {

namespace {

std::optional<std::string> why_not_sent(std::size_t from, const MessageClaim::Block& block,
                                        std::size_t holder) {
  const std::string what = fmt::format("block [{},{}]", block.source, block.destination);
  if (holder == Holders::under_way) return fmt::format("{} is sent a second time in the step", what);
  if (holder != from) return fmt::format("{} is on node {}, not on {}", what, holder, from);
  if (holder == block.destination) return fmt::format("{} leaves its destination", what);
  return std::nullopt;
}

}  // namespace

Holders::Holders(std::size_t node_count) : node_count_(node_count) {
  holders_.reserve(node_count * node_count);
  for (std::size_t source = 0; source < node_count; ++source)
    holders_.insert(holders_.end(), node_count, source);
}

std::optional<std::string> Holders::undelivered() const {
  std::optional<std::size_t> first;
  std::size_t count = 0;
  for (std::size_t i = 0; i < holders_.size(); ++i) {
    if (holders_[i] == i % node_count_) continue;
    if (!first) first = i;
    ++count;
  }
  if (!first) return std::nullopt;
  return fmt::format("block [{},{}] is on node {} at the end; not at their destinations are {}",
                     *first / node_count_, *first % node_count_, holders_[*first], count);
}

StepReplay::StepReplay(const Network& network, const ScheduleClaims& claims)
    : network_(network),
      is_one_port_(claims.ports == "one"),
      chunk_count_(claims.chunk_count),
      holders_(claims.collective.empty() ? network.grid().node_count() : 0),
      senders_(network.grid().node_count()),
      receivers_(network.grid().node_count()),
      links_(network.link_numbers()),
      blocks_(network.link_numbers()) {
  if (claims.collective.empty()) return;
  if (claims.collective == neighbours_collective) {
    values_ = std::make_unique<EdgeBlocks>(claims.edges);
  } else {
    values_ =
        std::make_unique<ChunkValues>(claims.collective, network.grid().node_count(), claims.chunk_count);
  }
}

std::size_t StepReplay::busiest_link_blocks() const {
  return blocks_.empty() ? 0 : *std::ranges::max_element(blocks_);
}

MessageFaults StepReplay::send(std::size_t index, const MessageClaim& message) {
  if (auto fault = wrong_node(message)) return {{}, fault};
  if (message.from == message.to) return {{}, fmt::format("node {} sends itself a message", message.from)};
  auto port = taken_port(index, message);
  auto link = taken_link(index, message);
  return {port ? port : link, values_ ? values_->send(index, message) : missing_block(message)};
}

std::optional<std::string> StepReplay::arrive(std::size_t index, const MessageClaim& message) {
  if (wrong_node(message)) return std::nullopt;
  if (values_) return values_->arrive(index, message);
  for (const auto& block : message.blocks) holders_.of(block) = message.to;
  return std::nullopt;
}

/// Returns a message of this step that uses the port or link if as many messages do as it has capacity for. Otherwise
/// records this message as a user and returns nothing.
std::optional<std::size_t> StepReplay::other_user(Use& use, std::size_t message, std::size_t capacity) const {
  if (use.step != step_) use = {step_, message, 0};
  if (use.count == capacity) return use.message;
  use = {step_, message, use.count + 1};
  return std::nullopt;
}

std::optional<std::string> StepReplay::wrong_node(const MessageClaim& message) const {
  const std::size_t count = network_.grid().node_count();
  std::size_t largest = std::max(message.from, message.to);
  for (const auto& block : message.blocks) largest = std::max({largest, block.source, block.destination});
  if (largest >= count) return fmt::format("node {} is not below {}", largest, count);
  for (const std::size_t chunk : message.chunks)
    if (chunk >= chunk_count_) return fmt::format("chunk {} is not below {}", chunk, chunk_count_);
  return std::nullopt;
}

std::optional<std::string> StepReplay::taken_port(std::size_t index, const MessageClaim& message) {
  if (!is_one_port_) return std::nullopt;
  const auto sent = other_user(senders_[message.from], index);
  const auto received = other_user(receivers_[message.to], index);
  if (sent) return fmt::format("node {} sends message [{}] in the same step", message.from, *sent);
  if (received) return fmt::format("node {} receives message [{}] in the same step", message.to, *received);
  return std::nullopt;
}

std::optional<std::string> StepReplay::taken_link(std::size_t index, const MessageClaim& message) {
  std::optional<std::string> fault;
  network_.walk(message.from, message.to, [&](std::size_t link) {
    blocks_[link] += message.count();
    const auto other = other_user(links_[link], index, network_.capacity(link));
    if (!other || fault) return;
    const auto [from, to] = network_.ends_of(link);
    fault = fmt::format("the link from node {} to node {} carries message [{}] in the same step", from, to,
                        *other);
  });
  return fault;
}

std::optional<std::string> StepReplay::missing_block(const MessageClaim& message) {
  std::optional<std::string> fault;
  for (const auto& block : message.blocks) {
    std::size_t& holder = holders_.of(block);
    if (!fault) fault = why_not_sent(message.from, block, holder);
    holder = Holders::under_way;
  }
  return fault;
}

}  // namespace cubefold::planner
