#include "delivery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

namespace cubefold {

namespace {

using Kind = DeliveryFault::Kind;
using Value = ReducedValues::Value;

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
    case Kind::nothing_to_reduce_with:
      return "holds nothing to reduce with";
    case Kind::arrives_twice:
      return "receives twice in the step";
    case Kind::contribution_twice:
      return "has already";
    case Kind::other_order:
      return "has reduced in another order than a rank before it";
    case Kind::out_of_order:
      return "has reduced operands that are not in the order of the ranks of";
    case Kind::contribution_missing:
    case Kind::not_delivered:
      break;
  }
  return "is left at the end with";
}

std::string name_of(const Block& block) {
  if (block.source == block.destination) return fmt::format("chunk {}", label(block.source));
  return fmt::format("block {} -> {}", label(block.source), label(block.destination));
}

}  // namespace

ReducedValues::ReducedValues(std::size_t rank_count)
    : word_count_((rank_count + 63) / 64), sets_((1 + rank_count) * word_count_) {
  for (std::uint32_t r = 0; r < rank_count; ++r)
    sets_[of(Rank{r}) * word_count_ + r / 64] = std::uint64_t{1} << (r % 64);
}

std::optional<Rank> ReducedValues::common(Value a, Value b) const {
  for (std::size_t w = 0; w < word_count_; ++w) {
    const std::uint64_t both = words(a)[w] & words(b)[w];
    if (both != 0) return static_cast<Rank>(w * 64 + static_cast<std::size_t>(std::countr_zero(both)));
  }
  return std::nullopt;
}

ReducedValues::Value ReducedValues::reduced(Value a, Value b) {
  const std::uint64_t operands = (std::uint64_t{std::min(a, b)} << 32) | std::max(a, b);
  const auto [found, is_new] = reductions_.try_emplace(
      operands, static_cast<Value>(sets_.size() / std::max<std::size_t>(word_count_, 1)));
  if (is_new) {
    sets_.resize(sets_.size() + word_count_);
    for (std::size_t w = 0; w < word_count_; ++w)
      sets_[found->second * word_count_ + w] = words(a)[w] | words(b)[w];
  }
  return found->second;
}

bool ReducedValues::are_in_order(Value left, Value right) const {
  std::size_t last = word_count_ - 1;
  while (words(left)[last] == 0) --last;
  std::size_t first = 0;
  while (words(right)[first] == 0) ++first;
  if (last != first) return last < first;
  return std::countl_zero(words(left)[last]) + std::countr_zero(words(right)[first]) >= 64;
}

DeliveryCheck::DeliveryCheck(const Collective& collective)
    : collective_(collective), reduced_(collective.moves_chunks() ? 0 : collective.rank_count()) {
  const std::size_t rank_count = collective.rank_count();
  if (collective.moves_chunks()) {
    holders_.resize(rank_count * rank_count);
    for (std::size_t i = 0; i < holders_.size(); ++i) holders_[i] = static_cast<Rank>(i / rank_count);
  }
  for (std::uint32_t r = 0; r < rank_count; ++r) {
    for (std::uint32_t c = 0; c < collective.chunk_count(); ++c) {
      const bool contributes = collective.contributes(Rank{r}, numbered_chunk(c));
      held_.push_back({contributes ? ReducedValues::of(Rank{r}) : ReducedValues::none});
    }
  }
}

// Takes all blocks of the step from their senders before any arrives, so that none can pass through two ranks in one
// step.
std::optional<DeliveryFault> DeliveryCheck::add(const Step& step) {
  sent_.clear();
  arrived_count_ = 0;
  for (const Message& message : step) {
    if (auto fault = depart(message)) return fault;
  }
  const bool moves = collective_.moves_chunks();
  for (const Message& message : step) {
    if (auto fault = moves ? put_blocks(message) : write_values(message)) return fault;
  }
  for (std::size_t m = 0; m < step.size() && !moves; ++m) {
    for (const Block& chunk : step[m].blocks) held_on(step[m].to, chunk).has_arrived = false;
  }
  ++step_count_;
  return std::nullopt;
}

std::optional<DeliveryFault> DeliveryCheck::depart(const Message& message) {
  const Block ends{message.from, message.to};
  if (!exists(message.from) || !exists(message.to)) return fault_of(Kind::no_such_rank, message.from, ends);
  if (message.from == message.to) return fault_of(Kind::message_to_itself, message.from, ends);
  return collective_.moves_chunks() ? take_blocks(message) : read_values(message);
}

std::optional<DeliveryFault> DeliveryCheck::take_blocks(const Message& message) {
  const auto fault = [&](Kind kind, Block block) { return fault_of(kind, message.from, block); };
  for (const Block& block : message.blocks) {
    if (!exists(block.source) || !exists(block.destination)) return fault(Kind::no_such_rank, block);
    Rank& holder = holders_[index_of(block)];
    if (holder != message.from) return fault(Kind::block_not_held, block);
    if (holder == block.destination) return fault(Kind::leaves_destination, block);
    holder = under_way;
  }
  return std::nullopt;
}

std::optional<DeliveryFault> DeliveryCheck::put_blocks(const Message& message) {
  if (message.reduces && !message.blocks.empty())
    return fault_of(Kind::nothing_to_reduce_with, message.to, message.blocks.front());
  for (const Block& block : message.blocks) holders_[index_of(block)] = message.to;
  return std::nullopt;
}

std::optional<DeliveryFault> DeliveryCheck::read_values(const Message& message) {
  for (const Block& chunk : message.blocks) {
    if (!collective_.has(chunk)) return fault_of(Kind::no_such_rank, message.from, chunk);
    sent_.push_back(held_on(message.from, chunk));
    if (sent_.back().value == ReducedValues::none) return fault_of(Kind::block_not_held, message.from, chunk);
  }
  return std::nullopt;
}

std::optional<DeliveryFault> DeliveryCheck::write_values(const Message& message) {
  for (const Block& chunk : message.blocks) {
    const Held arrived = sent_[arrived_count_++];
    Held& held = held_on(message.to, chunk);
    if (held.has_arrived) return fault_of(Kind::arrives_twice, message.to, chunk);
    if (message.reduces) {
      if (held.value == ReducedValues::none) return fault_of(Kind::nothing_to_reduce_with, message.to, chunk);
      if (const auto twice = reduced_.common(held.value, arrived.value))
        return DeliveryFault{Kind::contribution_twice, step_count_, message.to, chunk, *twice};
      held = message.arrives_left ? reduced(arrived, held) : reduced(held, arrived);
    } else {
      held = arrived;
    }
    held.has_arrived = true;
  }
  return std::nullopt;
}

DeliveryCheck::Held DeliveryCheck::reduced(const Held& left, const Held& right) {
  const bool is_in_order =
      left.is_in_order && right.is_in_order && reduced_.are_in_order(left.value, right.value);
  return {reduced_.reduced(left.value, right.value), false, is_in_order};
}

std::optional<DeliveryFault> DeliveryCheck::undelivered() const {
  return collective_.moves_chunks() ? not_at_destination() : incomplete();
}

std::optional<DeliveryFault> DeliveryCheck::not_at_destination() const {
  for (std::size_t i = 0; i < holders_.size(); ++i) {
    const Block block{static_cast<Rank>(i / collective_.rank_count()),
                      static_cast<Rank>(i % collective_.rank_count())};
    if (holders_[i] != block.destination) return fault_of(Kind::not_delivered, holders_[i], block);
  }
  return std::nullopt;
}

std::optional<DeliveryFault> DeliveryCheck::incomplete() const {
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const Rank rank{static_cast<std::uint32_t>(i / collective_.chunk_count())};
    const Block chunk = numbered_chunk(static_cast<std::uint32_t>(i % collective_.chunk_count()));
    if (!collective_.wants(rank, chunk)) continue;
    for (std::uint32_t r = 0; r < collective_.rank_count(); ++r) {
      if (!collective_.contributes(Rank{r}, chunk) || reduced_.contains(held_[i].value, Rank{r})) continue;
      return DeliveryFault{Kind::contribution_missing, step_count_, rank, chunk, Rank{r}};
    }
  }
  return std::nullopt;
}

template <typename IsWrong>
std::optional<DeliveryFault> DeliveryCheck::first_wrong(Kind kind, IsWrong is_wrong) const {
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const Rank rank{static_cast<std::uint32_t>(i / collective_.chunk_count())};
    const std::size_t number = i % collective_.chunk_count();
    const Block chunk = numbered_chunk(static_cast<std::uint32_t>(number));
    if (collective_.wants(rank, chunk) && is_wrong(held_[i], number)) return fault_of(kind, rank, chunk);
  }
  return std::nullopt;
}

std::optional<DeliveryFault> DeliveryCheck::unequal() const {
  std::vector<Value> first(collective_.chunk_count(), ReducedValues::none);
  return first_wrong(Kind::other_order, [&](const Held& held, std::size_t chunk) {
    if (first[chunk] == ReducedValues::none) first[chunk] = held.value;
    return first[chunk] != held.value;
  });
}

std::optional<DeliveryFault> DeliveryCheck::out_of_order() const {
  return first_wrong(Kind::out_of_order,
                     [](const Held& held, std::size_t /*chunk*/) { return !held.is_in_order; });
}

std::optional<DeliveryFault> first_unequal_value(const Schedule& schedule, const Collective& collective) {
  DeliveryCheck check(collective);
  for (const Step& step : schedule.steps) check.add(step);
  return check.unequal();
}

std::optional<DeliveryFault> first_value_out_of_order(const Schedule& schedule,
                                                      const Collective& collective) {
  DeliveryCheck check(collective);
  for (const Step& step : schedule.steps) check.add(step);
  return check.out_of_order();
}

std::optional<DeliveryFault> first_delivery_fault(const Schedule& schedule, const Collective& collective) {
  DeliveryCheck check(collective);
  for (const Step& step : schedule.steps) {
    if (auto fault = check.add(step)) return fault;
  }
  return check.undelivered();
}

std::optional<DeliveryFault> first_delivery_fault(const Schedule& schedule) {
  return first_delivery_fault(schedule, Collective::complete_exchange(schedule.rank_count));
}

std::string describe(const DeliveryFault& fault) {
  std::string words = words_of(fault.kind);
  if (fault.kind == Kind::contribution_twice)
    words += fmt::format(" the contribution of rank {} to", label(fault.contribution));
  if (fault.kind == Kind::contribution_missing) {
    words =
        fmt::format("is left at the end without the contribution of rank {} to", label(fault.contribution));
  }
  return fmt::format("step {}: rank {} {} {}", fault.step, label(fault.holder), words, name_of(fault.block));
}

}  // namespace cubefold
