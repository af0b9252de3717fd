#include "planner/advice/mpi_algorithms.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "cubefold/topology/link_loads.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold::planner {

namespace {

constexpr std::size_t scattered_messages = 32;

/// Counts messages by port and by slot, which is a rank's place on its node.
class SlotMessages {
 public:
  SlotMessages(std::size_t port_count, std::size_t slot_count)
      : row_(slot_count + 1), differences_(port_count * row_) {}

  /// Adds a message of each slot in begin .. end - 1.
  void add(std::size_t port, std::size_t begin, std::size_t end) {
    ++differences_[port * row_ + begin];
    --differences_[port * row_ + end];
  }

  /// Returns the most messages that a slot has at a port.
  std::uint64_t most() const {
    std::int64_t most = 0;
    for (std::size_t begin = 0; begin < differences_.size(); begin += row_) {
      std::int64_t messages = 0;
      for (std::size_t slot = 0; slot < row_; ++slot) {
        messages += differences_[begin + slot];
        most = std::max(most, messages);
      }
    }
    return static_cast<std::uint64_t>(most);
  }

 private:
  std::size_t row_;
  std::vector<std::int64_t> differences_;  ///< between a slot and the one before it; the sum of each row is 0
};

/// Counts the steps of exchanges in which every node does the same.
class StepCounter {
 public:
  StepCounter(const Grid& grid, const NetworkRules& network, std::size_t per_node)
      : grid_(grid),
        network_(network),
        nodes_(grid.node_count()),
        per_node_(per_node),
        loads_(grid, network.tie) {}

  std::size_t rank_count() const { return nodes_ * per_node_; }

  /// Begins a step without messages.
  void begin() {
    loads_ = LinkLoads(grid_, network_.tie);
    sent_blocks_ = 0;
    largest_message_ = 0;
    offsets_.clear();
  }

  /// Every rank sends so many blocks to the rank `offset` above it. The first per_node - offset % per_node ranks of a
  /// node reach the node offset / per_node above theirs, and the others reach the next one.
  void add_shift(std::size_t offset, std::uint64_t blocks) {
    const std::size_t further = offset % per_node_;
    const auto shifted = [this](std::size_t distance) {
      return [this, distance](std::size_t node) { return (node + distance) % nodes_; };
    };
    add(shifted(offset / per_node_), (per_node_ - further) * blocks, blocks);
    if (further > 0) add(shifted(offset / per_node_ + 1), further * blocks, blocks);
    offsets_.push_back(offset);
  }

  /// Every rank sends a block to the rank with these bits exchanged, which is the only message of the step. Requires
  /// that the numbers of nodes and of ranks on a node are powers of two.
  void add_xor(std::size_t bits) {
    add([bits, this](std::size_t node) { return node ^ (bits / per_node_); }, per_node_, 1);
  }

  /// Returns the cost of the step, for which every rank waits. A step within nodes costs nothing.
  StepGroup step() const {
    if (sent_blocks_ == 0) return {0, 0};
    const std::uint64_t port = network_.ports == Ports::one ? sent_blocks_ : largest_message_;
    StepGroup step{1, port, startups(), Waits::each};
    const RatedLoad load = loads_.longest();
    step.raise_to(load.messages, load.rate);
    return step;
  }

 private:
  template <typename Target>
  void add(Target target, std::uint64_t blocks, std::uint64_t message_blocks) {
    if (target(0) == 0) return;
    for (std::size_t node = 0; node < nodes_; ++node)
      loads_.add(static_cast<GridNode>(node), static_cast<GridNode>(target(node)), blocks);
    sent_blocks_ += blocks;
    largest_message_ = std::max(largest_message_, message_blocks);
  }

  /// Returns the start-ups of the rank that has the most: messages to other nodes or from them, with all ports those
  /// by one link.
  std::uint64_t startups() const {
    if (offsets_.size() < 2) return 1;
    const std::size_t port_count = network_.ports == Ports::one ? nodes_ : link_index_count(grid_);
    SlotMessages leaving(port_count, per_node_);
    SlotMessages entering(port_count, per_node_);
    const auto add_pairs = [&](std::size_t distance, std::size_t from_slot, std::size_t to_slot,
                               std::size_t count) {
      if (distance % nodes_ == 0) return;
      for (std::size_t node = 0; node < nodes_; ++node) {
        const std::size_t other = (node + distance) % nodes_;
        leaving.add(port_out(node, other), from_slot, from_slot + count);
        entering.add(port_in(node, other), to_slot, to_slot + count);
      }
    };
    for (const std::size_t offset : offsets_) {
      const std::size_t further = offset % per_node_;
      add_pairs(offset / per_node_, 0, further, per_node_ - further);
      if (further > 0) add_pairs(offset / per_node_ + 1, per_node_ - further, 0, further);
    }
    return std::max(leaving.most(), entering.most());
  }

  std::size_t port_out(std::size_t from, std::size_t to) const {
    if (network_.ports == Ports::one) return from;
    return link_index(
        grid_, *next_link(grid_, static_cast<GridNode>(from), static_cast<GridNode>(to), network_.tie));
  }

  std::size_t port_in(std::size_t from, std::size_t to) const {
    if (network_.ports == Ports::one) return to;
    return link_index(
        grid_, *last_link(grid_, static_cast<GridNode>(from), static_cast<GridNode>(to), network_.tie));
  }

  const Grid& grid_;
  NetworkRules network_;
  std::size_t nodes_;
  std::size_t per_node_;
  LinkLoads loads_;
  std::uint64_t sent_blocks_ = 0;  ///< by a node
  std::uint64_t largest_message_ = 0;
  std::vector<std::size_t> offsets_;  ///< of the shifts
};

ExchangeCost pairwise(StepCounter counter) {
  ExchangeCost cost;
  for (std::size_t offset = 1; offset < counter.rank_count(); ++offset) {
    counter.begin();
    counter.add_shift(offset, 1);
    cost.add(counter.step());
  }
  return cost;
}

ExchangeCost pairwise_xor(StepCounter counter) {
  ExchangeCost cost;
  for (std::size_t bits = 1; bits < counter.rank_count(); ++bits) {
    counter.begin();
    counter.add_xor(bits);
    cost.add(counter.step());
  }
  return cost;
}

/// Returns how many numbers below `count` have this bit.
std::uint64_t numbers_with(std::size_t bit, std::size_t count) {
  const std::size_t whole = count / (2 * bit) * bit;
  const std::size_t rest = count % (2 * bit);
  return whole + (rest > bit ? rest - bit : 0);
}

ExchangeCost bruck(StepCounter counter) {
  ExchangeCost cost;
  const std::size_t rank_count = counter.rank_count();
  for (std::size_t distance = 1; distance < rank_count; distance *= 2) {
    counter.begin();
    counter.add_shift(distance, numbers_with(distance, rank_count));
    cost.sent_blocks += static_cast<double>(numbers_with(distance, rank_count));
    cost.add(counter.step());
  }
  return cost;
}

/// Sends so many messages at once.
ExchangeCost at_once(StepCounter counter, std::size_t message_count) {
  ExchangeCost cost;
  for (std::size_t first = 1; first < counter.rank_count(); first += message_count) {
    counter.begin();
    const std::size_t end = std::min(first + message_count, counter.rank_count());
    for (std::size_t offset = first; offset < end; ++offset) counter.add_shift(offset, 1);
    cost.add(counter.step());
  }
  return cost;
}

}  // namespace

std::vector<MpiAlgorithm> mpi_algorithms(const Grid& grid, const NetworkRules& network,
                                         std::size_t per_node) {
  const StepCounter counter(grid, network, per_node);
  std::vector<MpiAlgorithm> algorithms{{"pairwise", pairwise(counter)}};
  if (std::has_single_bit(grid.node_count()) && std::has_single_bit(per_node))
    algorithms.push_back({"pairwise-xor", pairwise_xor(counter)});
  algorithms.push_back({"bruck", bruck(counter)});
  algorithms.push_back({"scattered", at_once(counter, scattered_messages)});
  algorithms.push_back({"linear", at_once(counter, counter.rank_count())});
  return algorithms;
}

}  // namespace cubefold::planner
