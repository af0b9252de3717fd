#include "vector_on_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

namespace cubefold {

namespace {

std::size_t smallest_group(const NodeSharing& sharing) {
  std::size_t smallest = sharing.largest_group();
  for (std::size_t group = 0; group < sharing.group_count() && !sharing.is_even(); ++group)
    smallest = std::min(smallest, sharing.group_size(group));
  return smallest;
}

/// A message on a node: this slot collects what another one has of some channels, or distributes it.
struct TreeMessage {
  std::size_t from;
  std::size_t to;
};

/// The binomial trees of the channels on a node of `size` ranks. The distance of a slot from a carrier counts slots
/// upwards, modulo the size.
class NodeTrees {
 public:
  NodeTrees(std::size_t size, std::size_t carriers) : size_(size), carriers_(carriers) {}

  std::size_t step_count() const { return std::bit_width(size_ - 1); }

  /// Returns the messages of a step that a slot sends and receives where channels are collected.
  TreeMessage sent(std::size_t slot, std::size_t step) const {
    return {slot, (slot + size_ - reach(step) % size_) % size_};
  }
  TreeMessage received(std::size_t slot, std::size_t step) const {
    return {(slot + reach(step)) % size_, slot};
  }

  /// Returns whether the message of a step has a channel: the distance of its sender is an odd multiple of 2^step.
  bool has_channel(const TreeMessage& message, std::size_t step, std::size_t channel) const {
    const std::size_t away = distance(message.from, channel);
    return away != 0 && static_cast<std::size_t>(std::countr_zero(away)) == step;
  }

  /// Returns whether the sender of such a message has collected the channel from a slot.
  bool has_collected(const TreeMessage& message, std::size_t step, std::size_t channel,
                     std::size_t slot) const {
    const std::size_t away = distance(message.from, channel);
    const std::size_t other = distance(slot, channel);
    return other >= away && other < away + reach(step);
  }

  /// Returns the number of those slots.
  std::size_t collected_count(const TreeMessage& message, std::size_t step, std::size_t channel) const {
    return std::min(reach(step), size_ - distance(message.from, channel));
  }

 private:
  static std::size_t reach(std::size_t step) { return std::size_t{1} << step; }
  std::size_t distance(std::size_t slot, std::size_t channel) const {
    return (slot + size_ - channel % carriers_) % size_;
  }

  std::size_t size_;
  std::size_t carriers_;
};

/// Builds the parts of ranks that share nodes.
class SharedParts {
 public:
  SharedParts(VectorCollective collective, const VectorMethod& method, const NodeSharing& sharing)
      : collective_(collective),
        channels_(method.channel_count),
        sharing_(sharing),
        carriers_(carrier_count(method, sharing)),
        tree_steps_(std::bit_width(sharing.largest_group() - 1)),
        between_(vector_parts(collective, method, sharing.groups())),
        chunk_count_(collective_of(collective, method, sharing).chunk_count()) {}

  std::size_t step_count() const { return 2 * tree_steps_ + between_.step_count; }

  void add_messages(PartBuilder& part) const {
    add_trees(part);
    const std::size_t group = sharing_.group_of(part.rank());
    const Schedule between = between_.part(static_cast<Rank>(group));
    for (std::size_t step = 0; step < between.steps.size(); ++step) {
      for (const Message& message : between.steps[step]) {
        const std::size_t channel = label(message.blocks.front().source) % channels_;
        if (channel % carriers_ != sharing_.slot_of(part.rank())) continue;
        Message carried = between_carriers(message);
        const auto same = [&](Rank /*from*/) { return carried; };
        if (carried.from == part.rank()) {
          part.send(tree_steps_ + step, same);
        } else {
          part.receive(tree_steps_ + step, carried.from, same);
        }
      }
    }
  }

 private:
  /// Adds the steps on the node before and after those between nodes.
  void add_trees(PartBuilder& part) const {
    const std::size_t group = sharing_.group_of(part.rank());
    const std::size_t slot = sharing_.slot_of(part.rank());
    const NodeTrees trees(sharing_.group_size(group), carriers_);
    for (std::size_t step = 0; step < trees.step_count(); ++step) {
      const std::size_t back = step_count() - 1 - step;
      const TreeMessage sent = trees.sent(slot, step);
      const TreeMessage received = trees.received(slot, step);
      const auto up = [&](Rank from) {
        return collecting(group, trees, from == part.rank() ? sent : received, step);
      };
      const auto down = [&](Rank from) {
        return distributing(group, trees, from == part.rank() ? received : sent, step);
      };
      part.send(step, up);
      part.receive(step, rank_at(group, received.from), up);
      part.send(back, down);
      part.receive(back, rank_at(group, sent.to), down);
    }
  }

  Rank rank_at(std::size_t group, std::size_t slot) const {
    return static_cast<Rank>(sharing_.first_rank(group) + slot);
  }

  /// Adds the chunks of the channels that a message on a node has, and for which has_owner(channel, owner) holds, if
  /// chunks belong to ranks.
  template <typename HasOwner>
  void add_chunks(Message& message, const NodeTrees& trees, const TreeMessage& ends, std::size_t step,
                  HasOwner has_owner) const {
    for (std::size_t channel = 0; channel < channels_; ++channel) {
      if (!trees.has_channel(ends, step, channel)) continue;
      for (std::size_t chunk = channel; chunk < chunk_count_; chunk += channels_)
        if (has_owner(channel, chunk / channels_)) message.blocks.push_back(numbered(chunk));
    }
  }

  /// Returns whether a rank is on a node and among those from which a message there collects a channel.
  bool is_collected(std::size_t group, const NodeTrees& trees, const TreeMessage& ends, std::size_t step,
                    std::size_t channel, std::size_t owner) const {
    const std::size_t first = sharing_.first_rank(group);
    return owner >= first && owner < sharing_.first_rank(group + 1) &&
           trees.has_collected(ends, step, channel, owner - first);
  }

  Message collecting(std::size_t group, const NodeTrees& trees, const TreeMessage& ends,
                     std::size_t step) const {
    const bool gathers = collective_ == VectorCollective::allgather;
    Message message{rank_at(group, ends.from), rank_at(group, ends.to), {}, !gathers};
    add_chunks(message, trees, ends, step, [&](std::size_t channel, std::size_t owner) {
      return !gathers || is_collected(group, trees, ends, step, channel, owner);
    });
    return message;
  }

  /// Returns the message in the opposite direction of the one that collects.
  Message distributing(std::size_t group, const NodeTrees& trees, const TreeMessage& ends,
                       std::size_t step) const {
    Message message{rank_at(group, ends.to), rank_at(group, ends.from), {}, false};
    add_chunks(message, trees, ends, step, [&](std::size_t channel, std::size_t owner) {
      if (collective_ == VectorCollective::allreduce) return true;
      const bool is_theirs = is_collected(group, trees, ends, step, channel, owner);
      return is_theirs == (collective_ == VectorCollective::reduce_scatter);
    });
    return message;
  }

  /// Returns a message of the groups as that of the ranks that carry its channel, with the chunks of all their ranks.
  Message between_carriers(const Message& message) const {
    const std::size_t channel = label(message.blocks.front().source) % channels_;
    const std::size_t slot = channel % carriers_;
    Message carried{rank_at(label(message.from), slot),
                    rank_at(label(message.to), slot),
                    {},
                    message.reduces,
                    message.arrives_left};
    if (collective_ == VectorCollective::allreduce) {
      carried.blocks = message.blocks;
      return carried;
    }
    for (const Block& chunk : message.blocks) {
      const std::size_t owner = label(chunk.source) / channels_;
      for (std::size_t rank = sharing_.first_rank(owner); rank < sharing_.first_rank(owner + 1); ++rank)
        carried.blocks.push_back(numbered(rank * channels_ + channel));
    }
    return carried;
  }

  static Block numbered(std::size_t chunk) { return numbered_chunk(static_cast<std::uint32_t>(chunk)); }

  VectorCollective collective_;
  std::size_t channels_;
  NodeSharing sharing_;
  std::size_t carriers_;
  std::size_t tree_steps_;
  ExchangeParts between_;
  std::size_t chunk_count_;
};

/// The shares of the vector in the channels that a message on a node has, and in the chunks of the ranks from which it
/// collects them.
struct TreeShares {
  double of_channels = 0;
  double of_ranks = 0;
};

TreeShares shares_of(const NodeTrees& trees, const TreeMessage& message, std::size_t step,
                     const VectorMethod& method, const NodeSharing& sharing) {
  const double of_channel = 1 / static_cast<double>(method.channel_count);
  TreeShares shares;
  for (std::size_t channel = 0; channel < method.channel_count; ++channel) {
    if (!trees.has_channel(message, step, channel)) continue;
    const auto slots = static_cast<double>(trees.collected_count(message, step, channel));
    shares.of_channels += of_channel;
    shares.of_ranks += of_channel * slots / static_cast<double>(sharing.rank_count());
  }
  return shares;
}

}  // namespace

std::vector<VectorMethod> vector_methods(VectorCollective collective, const NodeSharing& sharing,
                                         Ports ports) {
  std::vector<VectorMethod> methods = vector_methods(collective, sharing.network(), ports);
  if (sharing.largest_group() > 1)
    std::erase_if(methods, [](const VectorMethod& each) { return keeps_order(each.algorithm); });
  const std::size_t ranks = smallest_group(sharing);
  const std::size_t count = methods.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t channels = methods[i].channel_count;
    const VectorMethod more{methods[i].algorithm, (ranks + channels - 1) / channels * channels};
    if (more.channel_count <= most_channels && std::ranges::find(methods, more) == methods.end())
      methods.push_back(more);
  }
  return methods;
}

std::size_t carrier_count(const VectorMethod& method, const NodeSharing& sharing) {
  return std::min(method.channel_count, smallest_group(sharing));
}

Collective collective_of(VectorCollective collective, const VectorMethod& method,
                         const NodeSharing& sharing) {
  if (collective != VectorCollective::allreduce)
    return collective_of(collective, method, sharing.rank_count());
  const std::size_t chunks = collective_of(collective, method, sharing.group_count()).chunk_count();
  return Collective::allreduce(sharing.rank_count(), chunks);
}

ExchangeParts vector_parts(VectorCollective collective, const VectorMethod& method,
                           const NodeSharing& sharing) {
  if (sharing.largest_group() > 1 && keeps_order(method.algorithm)) {
    throw std::invalid_argument(
        fmt::format("vector_parts: {} does not keep the order of ranks that share nodes", to_string(method)));
  }
  const SharedParts parts(collective, method, sharing);
  return {sharing.rank_count(), parts.step_count(), [parts](PartBuilder& part) { parts.add_messages(part); }};
}

Schedule between_nodes(const Schedule& schedule, const NodeSharing& sharing) {
  Schedule between{sharing.group_count(), {}};
  for (const Step& step : schedule.steps) {
    Step& kept = between.steps.emplace_back();
    for (const Message& message : step) {
      const auto from = static_cast<Rank>(sharing.group_of(message.from));
      const auto to = static_cast<Rank>(sharing.group_of(message.to));
      if (from != to) kept.push_back({from, to, message.blocks, message.reduces});
    }
  }
  return between;
}

NodeVectorCost node_vector_cost(VectorCollective collective, const VectorMethod& method,
                                const NodeSharing& sharing) {
  const std::size_t size = sharing.largest_group();
  const NodeTrees trees(size, carrier_count(method, sharing));
  const bool gathers = collective == VectorCollective::allgather;
  NodeVectorCost cost{2 * trees.step_count()};
  for (std::size_t step = 0; step < trees.step_count(); ++step) {
    double collected = 0;
    double distributed = 0;
    for (std::size_t slot = 0; slot < size; ++slot) {
      const TreeShares shares = shares_of(trees, trees.received(slot, step), step, method, sharing);
      collected = std::max(collected, gathers ? shares.of_ranks : shares.of_channels);
      distributed = std::max(distributed, collective == VectorCollective::allreduce ? shares.of_channels
                                          : gathers ? shares.of_channels - shares.of_ranks
                                                    : shares.of_ranks);
    }
    cost.copied_vectors += collected + distributed;
    if (!gathers) cost.reduced_vectors += collected;
  }
  return cost;
}

}  // namespace cubefold
