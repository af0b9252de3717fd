#include "table_search.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <queue>
#include <utility>

#include "cubefold/topology/route.hpp"
#include "route_hops.hpp"

namespace cubefold {

namespace {

/// The search for the node of a rank ends with the ring in which it has examined so many free nodes.
constexpr std::size_t enough_nodes = 200;

struct Partner {
  std::size_t rank;
  double messages;
};

class Builder {
 public:
  Builder(const Grid& grid, std::span<const Phase> phases)
      : grid_(grid),
        partners_(grid.node_count()),
        pull_(grid.node_count()),
        nodes_(grid.node_count()),
        is_placed_(grid.node_count()),
        is_taken_(grid.node_count()),
        met_for_(grid.node_count()) {
    if (grid.route_table() != nullptr) route_hops_.emplace(grid);
    for (const Phase& phase : phases) {
      for (const Traffic& sent : phase.traffic) {
        const double messages = phase.weight * sent.messages;
        partners_[label(sent.from)].push_back({label(sent.to), messages});
        partners_[label(sent.to)].push_back({label(sent.from), messages});
      }
    }
    for (std::size_t r = 0; r < pull_.size(); ++r) waiting_.emplace(0, r);
  }

  std::vector<GridNode> build() {
    while (!waiting_.empty()) {
      const auto [pull, rank] = waiting_.top();
      waiting_.pop();
      // The queue has an entry for every value that the pull of a rank has had. Only the last one counts.
      if (!is_placed_[rank] && pull == pull_[rank]) place(rank);
    }
    return std::move(nodes_);
  }

 private:
  struct LessUrgent {
    bool operator()(const std::pair<double, std::size_t>& a, const std::pair<double, std::size_t>& b) const {
      return a.first != b.first ? a.first < b.first : a.second > b.second;
    }
  };

  void place(std::size_t rank) {
    const GridNode node = best_free_node(rank);
    nodes_[rank] = node;
    is_placed_[rank] = true;
    is_taken_[index(node)] = true;
    for (const auto& [other, messages] : partners_[rank]) {
      if (is_placed_[other]) continue;
      pull_[other] += messages;
      waiting_.emplace(pull_[other], other);
    }
  }

  GridNode best_free_node(std::size_t rank) {
    const Partner* heaviest = nullptr;
    for (const Partner& partner : partners_[rank]) {
      if (is_placed_[partner.rank] && (heaviest == nullptr || partner.messages > heaviest->messages))
        heaviest = &partner;
    }
    if (heaviest == nullptr) return first_free_node();
    return route_hops_ ? best_of_all_free_nodes(rank) : best_free_node_near(rank, *heaviest);
  }

  /// Searches all free nodes. Grids with route tables are small, and their rings are not always connected.
  GridNode best_of_all_free_nodes(std::size_t rank) const {
    std::pair best{std::numeric_limits<double>::infinity(), GridNode{}};
    for (std::uint32_t node = 0; node < is_taken_.size(); ++node)
      if (!is_taken_[node]) best = std::min(best, {hops_to_partners(rank, GridNode{node}), GridNode{node}});
    return best.second;
  }

  GridNode best_free_node_near(std::size_t rank, const Partner& heaviest) {
    std::pair best{std::numeric_limits<double>::infinity(), GridNode{}};
    std::vector<GridNode> ring{nodes_[heaviest.rank]};
    met_for_[index(ring[0])] = rank + 1;
    std::size_t looked_at = 0;
    for (double hops = 0; heaviest.messages * hops <= best.first && looked_at < enough_nodes; ++hops) {
      for (const GridNode node : ring) {
        if (is_taken_[index(node)]) continue;
        best = std::min(best, {hops_to_partners(rank, node), node});
        ++looked_at;
      }
      if (ring.empty()) break;
      ring = next_ring(ring, rank + 1);
    }
    return best.second;
  }

  GridNode first_free_node() {
    while (is_taken_[first_free_]) ++first_free_;
    return static_cast<GridNode>(first_free_);
  }

  std::vector<GridNode> next_ring(const std::vector<GridNode>& ring, std::size_t mark) {
    std::vector<GridNode> next;
    for (const GridNode node : ring) {
      for (int axis = 0; axis < grid_.axis_count(); ++axis) {
        for (const Direction direction : {Direction::positive, Direction::negative}) {
          const Link link{node, axis, direction};
          if (!has_link(grid_, link)) continue;
          const GridNode end = end_of(grid_, link);
          if (std::exchange(met_for_[index(end)], mark) != mark) next.push_back(end);
        }
      }
    }
    return next;
  }

  double hops_to_partners(std::size_t rank, GridNode node) const {
    double hops = 0;
    for (const auto& [other, messages] : partners_[rank]) {
      if (is_placed_[other]) hops += messages * hops_between(node, nodes_[other]);
    }
    return hops;
  }

  /// Returns the hops between two nodes. Routes of a table may be longer one way than the other, and the shorter one
  /// counts.
  std::uint32_t hops_between(GridNode a, GridNode b) const {
    return route_hops_ ? route_hops_->either_way(a, b) : distance_hops(grid_, a, b);
  }

  static std::size_t index(GridNode node) { return static_cast<std::size_t>(node); }

  const Grid& grid_;
  std::optional<RouteHops> route_hops_;  ///< of a grid with a route table
  std::vector<std::vector<Partner>> partners_;
  std::vector<double> pull_;  ///< messages between a rank and the placed ranks
  std::priority_queue<std::pair<double, std::size_t>, std::vector<std::pair<double, std::size_t>>, LessUrgent>
      waiting_;
  std::vector<GridNode> nodes_;
  std::vector<bool> is_placed_;
  std::vector<bool> is_taken_;
  std::vector<std::size_t> met_for_;  ///< 1 + the rank for which a node was last examined
  std::size_t first_free_ = 0;
};

}  // namespace

std::vector<GridNode> greedy_nodes(const Grid& grid, std::span<const Phase> phases) {
  return Builder(grid, phases).build();
}

double work_of_greedy_nodes(const Grid& grid, std::span<const Phase> phases) {
  double messages = 0;
  for (const Phase& phase : phases) messages += static_cast<double>(phase.traffic.size());
  const auto nodes = static_cast<double>(grid.node_count());
  return 3 * nodes * nodes + 10 * enough_nodes * messages;
}

}  // namespace cubefold
