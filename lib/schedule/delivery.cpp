#include "delivery.hpp"

#include <fmt/format.h>

#include <limits>

namespace cubefold {

namespace {

using Kind = DeliveryFault::Kind;

constexpr Rank under_way{std::numeric_limits<std::uint32_t>::max()};

const char* words_of(Kind kind) {
  switch (kind) {
    case Kind::no_such_rank:
      return "names a rank that does not exist in a message with";
    case Kind::message_to_itself:
      return "sends itself a message with";
    case Kind::block_not_held:
      return "sends but does not hold";
    case Kind::leaves_destination:
      return "is the destination but sends away";
    case Kind::not_delivered:
      break;
  }
  return "is left at the end with";
}

}  // namespace

DeliveryCheck::DeliveryCheck(std::size_t rank_count)
    : rank_count_(rank_count), holders_(rank_count * rank_count) {
  for (std::size_t i = 0; i < holders_.size(); ++i) holders_[i] = static_cast<Rank>(i / rank_count);
}

// Takes all blocks of the step from their senders before any arrives, so that none can pass through two ranks in one
// step.
std::optional<DeliveryFault> DeliveryCheck::add(const Step& step) {
  for (const Message& message : step) {
    if (auto fault = depart(message)) return fault;
  }
  for (const Message& message : step) {
    for (const Block& block : message.blocks) holders_[index_of(block)] = message.to;
  }
  ++step_count_;
  return std::nullopt;
}

std::optional<DeliveryFault> DeliveryCheck::undelivered() const {
  for (std::size_t i = 0; i < holders_.size(); ++i) {
    const Block block{static_cast<Rank>(i / rank_count_), static_cast<Rank>(i % rank_count_)};
    if (holders_[i] != block.destination) {
      return DeliveryFault{Kind::not_delivered, step_count_, holders_[i], block};
    }
  }
  return std::nullopt;
}

std::size_t DeliveryCheck::index_of(const Block& block) const {
  return label(block.source) * rank_count_ + label(block.destination);
}

std::optional<DeliveryFault> DeliveryCheck::depart(const Message& message) {
  const auto fault = [&](Kind kind, Block block) {
    return DeliveryFault{kind, step_count_, message.from, block};
  };
  if (!exists(message.from) || !exists(message.to))
    return fault(Kind::no_such_rank, {message.from, message.to});
  if (message.from == message.to) return fault(Kind::message_to_itself, {message.from, message.to});
  for (const Block& block : message.blocks) {
    if (!exists(block.source) || !exists(block.destination)) return fault(Kind::no_such_rank, block);
    Rank& holder = holders_[index_of(block)];
    if (holder != message.from) return fault(Kind::block_not_held, block);
    if (holder == block.destination) return fault(Kind::leaves_destination, block);
    holder = under_way;
  }
  return std::nullopt;
}

std::optional<DeliveryFault> first_delivery_fault(const Schedule& schedule) {
  DeliveryCheck check(schedule.rank_count);
  for (const Step& step : schedule.steps) {
    if (auto fault = check.add(step)) return fault;
  }
  return check.undelivered();
}

std::string describe(const DeliveryFault& fault) {
  return fmt::format("step {}: rank {} {} block {} -> {}", fault.step, label(fault.holder),
                     words_of(fault.kind), label(fault.block.source), label(fault.block.destination));
}

}  // namespace cubefold
