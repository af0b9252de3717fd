#include "planner/verification/step_replay.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cubefold::planner {

namespace {

/// The message that uses the thing already; otherwise it is this one's.
template <typename Thing>
std::optional<std::size_t> use(std::map<Thing, std::size_t>& first_uses, const Thing& thing,
                               std::size_t message) {
  const auto [entry, is_new] = first_uses.try_emplace(thing, message);
  return is_new ? std::nullopt : std::optional(entry->second);
}

std::optional<std::string> why_not_sent(std::size_t from, const MessageClaim::Block& block,
                                        std::size_t holder) {
  const std::string what = fmt::format("block [{},{}]", block.source, block.destination);
  if (holder == Holders::under_way) return fmt::format("{} is sent a second time in the step", what);
  if (holder != from) return fmt::format("{} is on node {}, not on {}", what, holder, from);
  if (holder == block.destination) return fmt::format("{} leaves its destination", what);
  return std::nullopt;
}

}  // namespace

Holders::Holders(std::size_t node_count) : node_count_(node_count), holders_(node_count * node_count) {
  for (std::size_t i = 0; i < holders_.size(); ++i) holders_[i] = i / node_count;
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

std::optional<std::string> StepReplay::send(std::size_t index, const MessageClaim& message) {
  if (auto fault = wrong_node(message)) return fault;
  if (message.from == message.to) return fmt::format("node {} sends itself a message", message.from);
  auto port = taken_port(index, message);
  auto link = taken_link(index, message);
  auto block = missing_block(message);
  return port ? port : link ? link : block;
}

void StepReplay::arrive(const MessageClaim& message) {
  if (wrong_node(message)) return;
  for (const auto& block : message.blocks) holders_.of(block) = message.to;
}

std::optional<std::string> StepReplay::wrong_node(const MessageClaim& message) const {
  const std::size_t count = network_.grid().node_count();
  std::size_t largest = std::max(message.from, message.to);
  for (const auto& block : message.blocks) largest = std::max({largest, block.source, block.destination});
  if (largest < count) return std::nullopt;
  return fmt::format("node {} is not below {}", largest, count);
}

std::optional<std::string> StepReplay::taken_port(std::size_t index, const MessageClaim& message) {
  if (!is_one_port_) return std::nullopt;
  const auto sent = use(senders_, message.from, index);
  const auto received = use(receivers_, message.to, index);
  if (sent) return fmt::format("node {} sends message [{}] in the same step", message.from, *sent);
  if (received) return fmt::format("node {} receives message [{}] in the same step", message.to, *received);
  return std::nullopt;
}

std::optional<std::string> StepReplay::taken_link(std::size_t index, const MessageClaim& message) {
  Network::Loads own;
  network_.send(message.from, message.to, static_cast<double>(message.blocks.size()), own);
  std::optional<std::string> fault;
  for (const auto& [link, blocks] : own) {
    loads_[link] += blocks;
    const auto other = use(links_, link, index);
    if (!other || fault) continue;
    fault = fmt::format("the link from node {} to node {} carries message [{}] in the same step", link.first,
                        link.second, *other);
  }
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
