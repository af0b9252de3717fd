#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold::planner {

/// A grid with routes that are followed hop by hop, without code of the optimisers. On a grid with a route table, the
/// table says which links there are and where each message goes next.
class Network {
 public:
  /// Makes the grid of this name. The tie rule is positive or balanced. Throws std::invalid_argument for an unknown
  /// grid and for more than 64 axes.
  Network(const std::string& grid, const std::string& tie);

  const Grid& grid() const { return grid_; }

  /// Returns a strict upper bound of the numbers of links. Some smaller numbers belong to no link.
  std::size_t link_numbers() const {
    return table_ != nullptr ? table_->links().size() : 2 * long_axes_.size() * grid_.node_count();
  }

  /// Returns how many messages of a step the link carries.
  std::size_t capacity(std::size_t link) const {
    return table_ != nullptr ? static_cast<std::size_t>(table_->links()[link].rate) : 1;
  }

  /// Calls visit(number of the link) for every link of the route between two nodes, axis 0 first.
  template <typename Visit>
  void walk(std::size_t from, std::size_t to, Visit visit) const {
    if (table_ != nullptr) return walk_by_table(from, to, visit);
    std::size_t stride = 1;
    for (std::size_t i = 0; i < long_axes_.size(); stride *= extent(long_axes_[i]), ++i) {
      const std::size_t axis = long_axes_[i];
      std::size_t here = from / stride % extent(axis);
      const std::size_t target = to / stride % extent(axis);
      // A route keeps one direction along an axis.
      const bool up = goes_up(axis, here, target);
      while (here != target) {
        visit((from * long_axes_.size() + i) * 2 + (up ? 0 : 1));
        const std::size_t before = here;
        if (up) {
          here = here + 1 < extent(axis) ? here + 1 : 0;
        } else {
          here = here > 0 ? here - 1 : extent(axis) - 1;
        }
        from = from - before * stride + here * stride;
      }
    }
  }

  /// Returns the number of hops of the route between two nodes.
  std::size_t hops(std::size_t from, std::size_t to) const;

  /// Returns the number of hops of the longest route. With a route table, returns the largest number that a route can
  /// have, because it meets no vertex twice.
  std::size_t most_hops() const;

  /// Returns the rate of a link in multiples of 1 / rate_unit(). The unit is 1 if all rates are 1. Otherwise it is
  /// 10000, and rates are rounded to four decimals.
  std::uint64_t rate(std::size_t link) const;
  std::uint64_t rate_unit() const { return has_rates_ ? 10'000 : 1; }
  bool has_rates() const { return has_rates_; }

  /// Returns the same network under balanced ties.
  Network with_balanced_ties() const;

  /// Returns the nodes at the beginning and at the end of a link.
  std::pair<std::size_t, std::size_t> ends_of(std::size_t link) const;

  /// Returns the number of links out of every node. Without a route table, as many lead into it.
  std::vector<std::size_t> link_counts() const;

  /// Returns the least possible hops between a node and its k-th nearest node, for k = 0, 1, ..., where node 0 is the
  /// node itself. Without a route table, these are the hops from a middle node, in ascending order. No other node has
  /// more nodes within any distance, because all nodes of a wrapped axis are equivalent and the middle of an open axis
  /// is nearest to both ends. With a route table, the shorter one of the two routes between nodes counts, and each
  /// element is the least of all nodes.
  std::vector<std::size_t> least_hops() const;

  /// The rates of the links out of every node, into every node, of all links, and of the fastest link. With a route
  /// table, only links on routes count.
  struct Rates {
    std::vector<std::uint64_t> out;
    std::vector<std::uint64_t> in;
    std::uint64_t all = 0;
    std::uint64_t fastest = 1;
  };
  Rates rates() const;

 private:
  static constexpr std::uint32_t no_route = UINT32_MAX;

  template <typename Visit>
  void walk_by_table(std::size_t here, std::size_t to, Visit visit) const {
    while (here != to) {
      const std::size_t link = table_->next_link(here, to);
      visit(link);
      here = table_->links()[link].to;
    }
  }

  std::size_t extent(std::size_t axis) const { return grid_.axes()[axis].extent; }

  /// Returns whether the axis has wrap-around links. An axis of two nodes has none, because its nodes have one link in
  /// each direction anyway.
  bool is_wrapped(std::size_t axis) const {
    return grid_.axes()[axis].ends == Ends::wrapped && extent(axis) > 2;
  }
  std::vector<std::size_t> hops_from_the_middle() const;
  std::vector<std::uint32_t> hops_to(std::size_t to) const;
  std::vector<std::size_t> least_hops_by_table() const;
  std::vector<bool> links_on_routes() const;
  bool goes_up(std::size_t axis, std::size_t from, std::size_t to) const;
  std::size_t hops(std::size_t axis, std::size_t from, std::size_t to) const;

  Grid grid_;
  const RouteTable* table_;  ///< of the grid, or nullptr
  Tie tie_;
  bool has_rates_ = false;              ///< whether some rate is not 1
  std::vector<std::size_t> long_axes_;  ///< axes that have more than one node, and therefore links
};

}  // namespace cubefold::planner
