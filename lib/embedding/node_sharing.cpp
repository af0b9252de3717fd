#include "node_sharing.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace cubefold {

namespace {

constexpr std::size_t max_rank_count = std::size_t{1} << 31;

}  // namespace

NodeSharing::NodeSharing(Placement groups, std::size_t per_node)
    : groups_(std::move(groups)), per_node_(per_node) {
  if (per_node > 0 && per_node <= max_rank_count / groups_.rank_count()) return;
  throw std::invalid_argument(fmt::format("NodeSharing: {} ranks on each node of {} are not 1 to {} in all",
                                          per_node, to_string(groups_.grid()), max_rank_count));
}

std::vector<GridNode> node_of_rank(const NodeSharing& sharing) {
  std::vector<GridNode> nodes;
  nodes.reserve(sharing.rank_count());
  for (const GridNode node : node_of_rank(sharing.groups())) {
    nodes.insert(nodes.end(), sharing.per_node(), node);
  }
  return nodes;
}

std::vector<Rank> ranks_on(const NodeSharing& sharing, GridNode node) {
  const auto first = label(sharing.groups().rank_of(node)) * sharing.per_node();
  std::vector<Rank> ranks;
  for (std::size_t k = 0; k < sharing.per_node(); ++k) ranks.push_back(static_cast<Rank>(first + k));
  return ranks;
}

}  // namespace cubefold
