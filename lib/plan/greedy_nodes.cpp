#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "swap_search.hpp"

namespace cubefold {

namespace {

struct Partner {
  Rank rank;
  double messages;
};

std::size_t index(Rank rank) {
  return label(rank);
}

class Builder {
 public:
  Builder(const Grid& grid, std::span<const Phase> phases)
      : grid_(grid),
        partners_(grid.node_count()),
        pull_(grid.node_count()),
        nodes_(grid.node_count()),
        is_placed_(grid.node_count()),
        is_taken_(grid.node_count()) {
    for (const Phase& phase : phases) {
      for (const Traffic& sent : phase.traffic) {
        const double messages = phase.weight * sent.messages;
        partners_[index(sent.from)].push_back({sent.to, messages});
        partners_[index(sent.to)].push_back({sent.from, messages});
      }
    }
  }

  std::vector<GridNode> build() {
    for (std::size_t i = 0; i < nodes_.size(); ++i) place(next_rank());
    return std::move(nodes_);
  }

 private:
  Rank next_rank() const {
    std::optional<std::size_t> best;
    for (std::size_t r = 0; r < pull_.size(); ++r) {
      if (!is_placed_[r] && (!best || pull_[r] > pull_[*best])) best = r;
    }
    return static_cast<Rank>(*best);
  }

  void place(Rank rank) {
    const GridNode node = nearest_free_node(rank);
    nodes_[index(rank)] = node;
    is_placed_[index(rank)] = true;
    is_taken_[static_cast<std::size_t>(node)] = true;
    for (const auto& [other, messages] : partners_[index(rank)]) pull_[index(other)] += messages;
  }

  GridNode nearest_free_node(Rank rank) const {
    GridNode nearest{};
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      const auto node = static_cast<GridNode>(n);
      if (is_taken_[n]) continue;
      const double hops = hops_to_partners(rank, node);
      if (hops < least) std::tie(nearest, least) = std::pair(node, hops);
    }
    return nearest;
  }

  double hops_to_partners(Rank rank, GridNode node) const {
    double hops = 0;
    for (const auto& [other, messages] : partners_[index(rank)]) {
      if (is_placed_[index(other)]) hops += messages * distance_hops(grid_, node, nodes_[index(other)]);
    }
    return hops;
  }

  const Grid& grid_;
  std::vector<std::vector<Partner>> partners_;
  std::vector<double> pull_;  ///< messages between a rank and those that are placed
  std::vector<GridNode> nodes_;
  std::vector<bool> is_placed_;
  std::vector<bool> is_taken_;
};

}  // namespace

std::vector<GridNode> greedy_nodes(const Grid& grid, std::span<const Phase> phases) {
  return Builder(grid, phases).build();
}

double work_of_greedy_nodes(const Grid& grid, std::span<const Phase> phases) {
  double messages = 0;
  for (const Phase& phase : phases) messages += static_cast<double>(phase.traffic.size());
  const auto nodes = static_cast<double>(grid.node_count());
  return nodes * (2 * nodes + 20 * messages);
}

}  // namespace cubefold
