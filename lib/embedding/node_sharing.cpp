#include "cubefold/embedding/node_sharing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace cubefold {

namespace {

constexpr std::size_t max_rank_count = std::size_t{1} << 31;

std::vector<std::size_t> processes_on_nodes(const Grid& network, std::span<const GridNode> node_of_process) {
  std::vector<std::size_t> counts(network.node_count());
  for (const GridNode node : node_of_process) {
    const auto n = static_cast<std::size_t>(node);
    if (n >= counts.size()) {
      throw std::invalid_argument(fmt::format("NodeSharing: {} has no node {}", to_string(network), n));
    }
    ++counts[n];
  }
  return counts;
}

/// Returns the axis of each bit of the network's rule, after its order.
std::vector<int> axes_of_bits(const Grid& network, const PlacementRule& rule) {
  const auto places = bit_places(network, rule);
  std::vector<int> axes;
  for (std::size_t k = 0; k < places.size(); ++k)
    axes.push_back(places[rule.order.empty() ? k : static_cast<std::size_t>(rule.order[k])].axis);
  return axes;
}

/// Returns the rule of the groups for ranks of which the low slot_bits bits are the slot, on axis 0.
PlacementRule with_slot_bits(const Grid& network, const PlacementRule& rule, int slot_bits) {
  PlacementRule result;
  result.embeddings = {Embedding::standard};
  for (int axis = 0; axis < network.axis_count(); ++axis) {
    const Embedding each = embedding_on(rule, axis);
    result.embeddings.push_back(each == Embedding::identity ? Embedding::standard : each);
  }
  result.axis_of_bit.assign(static_cast<std::size_t>(slot_bits), 0);
  for (const int axis : axes_of_bits(network, rule)) result.axis_of_bit.push_back(axis + 1);
  if (rule.order.empty()) return result;
  for (int bit = 0; bit < slot_bits; ++bit) result.order.push_back(bit);
  for (const int bit : rule.order) result.order.push_back(bit + slot_bits);
  return result;
}

/// Returns the rule that lists the node of each rank.
PlacementRule table_with_slots(const Placement& groups, std::size_t per_node) {
  PlacementRule result;
  for (const GridNode node : node_of_rank(groups)) {
    for (std::size_t slot = 0; slot < per_node; ++slot)
      result.nodes.push_back(static_cast<GridNode>(static_cast<std::size_t>(node) * per_node + slot));
  }
  return result;
}

PlacementRule rule_with_slots(const Placement& groups, std::size_t per_node) {
  if (groups.rule() == PlacementRule{}) return {};
  if (groups.rule().nodes.empty() && std::has_single_bit(per_node))
    return with_slot_bits(groups.grid(), groups.rule(), std::countr_zero(per_node));
  return table_with_slots(groups, per_node);
}

}  // namespace

NodeSharing::NodeSharing(const Placement& groups, std::size_t per_node) : groups_(groups) {
  if (per_node == 0 || per_node > max_rank_count / groups.rank_count()) {
    throw std::invalid_argument(fmt::format("NodeSharing: {} ranks on each node of {} are not 1 to {} in all",
                                            per_node, to_string(network()), max_rank_count));
  }
  for (std::size_t group = 0; group < group_count(); ++group) add_group(per_node);
}

NodeSharing::NodeSharing(const Placement& groups, std::span<const GridNode> node_of_process)
    : groups_(groups) {
  const auto counts = processes_on_nodes(network(), node_of_process);
  if (const auto empty = std::ranges::find(counts, 0U); empty != counts.end()) {
    throw std::invalid_argument(fmt::format("NodeSharing: node {} of {} has no process",
                                            std::distance(counts.begin(), empty), to_string(network())));
  }
  for (const GridNode node : cubefold::node_of_rank(groups))
    add_group(counts[static_cast<std::size_t>(node)]);
}

void NodeSharing::add_group(std::size_t size) {
  first_rank_.push_back(first_rank_.back() + size);
  largest_group_ = std::max(largest_group_, size);
}

std::size_t NodeSharing::group_of(Rank rank) const {
  if (is_even()) return label(rank) / largest_group_;
  const auto next = std::upper_bound(first_rank_.begin(), first_rank_.end(), std::size_t{label(rank)});
  return static_cast<std::size_t>(std::distance(first_rank_.begin(), next)) - 1;
}

std::vector<GridNode> node_of_rank(const NodeSharing& sharing) {
  std::vector<GridNode> nodes;
  nodes.reserve(sharing.rank_count());
  for (std::size_t group = 0; group < sharing.group_count(); ++group)
    nodes.insert(nodes.end(), sharing.group_size(group), sharing.node_of_group(group));
  return nodes;
}

std::vector<Rank> rank_of_process(const NodeSharing& sharing, std::span<const GridNode> node_of_process) {
  std::vector<std::size_t> next_rank(sharing.network().node_count());
  for (std::size_t group = 0; group < sharing.group_count(); ++group)
    next_rank[static_cast<std::size_t>(sharing.node_of_group(group))] = sharing.first_rank(group);
  std::vector<Rank> ranks;
  ranks.reserve(node_of_process.size());
  for (const GridNode node : node_of_process)
    ranks.push_back(static_cast<Rank>(next_rank[static_cast<std::size_t>(node)]++));
  return ranks;
}

std::string to_string(const NodeSharing& sharing) {
  const std::string network = to_string(sharing.network());
  if (sharing.is_even()) return fmt::format("{} ranks on each node of {}", sharing.largest_group(), network);
  return fmt::format("{} ranks on {} nodes of {}", sharing.rank_count(), sharing.group_count(), network);
}

bool has_slot_axis(const NodeSharing& sharing) {
  return sharing.is_even() && sharing.network().route_table() == nullptr;
}

Placement slot_placement(const NodeSharing& sharing) {
  const Grid& network = sharing.network();
  if (!has_slot_axis(sharing))
    return {Grid({static_cast<std::uint32_t>(sharing.rank_count())}, Ends::open), PlacementRule{}};
  const std::size_t per_node = sharing.largest_group();
  std::vector<Axis> axes{{static_cast<std::uint32_t>(per_node), Ends::open}};
  axes.insert(axes.end(), network.axes().begin(), network.axes().end());
  return {Grid(std::move(axes)), rule_with_slots(sharing.groups(), per_node)};
}

}  // namespace cubefold
