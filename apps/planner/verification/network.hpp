#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold::planner {

/// A grid walked hop by hop, with nothing of the code that optimises.
class Network {
 public:
  /// The grid of that name, under a tie rule that is positive or balanced. Throws std::invalid_argument for no grid,
  /// and for more axes than a program can have a use for.
  Network(const std::string& grid, const std::string& tie);

  const Grid& grid() const { return grid_; }

  /// Numbers of links are below this; not every number is a link.
  std::size_t link_numbers() const { return 2 * long_axes_.size() * grid_.node_count(); }

  /// Calls visit(number of the link) for every link of the route, axis 0 first.
  template <typename Visit>
  void walk(std::size_t from, std::size_t to, Visit visit) const {
    std::size_t stride = 1;
    for (std::size_t i = 0; i < long_axes_.size(); stride *= extent(long_axes_[i]), ++i) {
      const std::size_t axis = long_axes_[i];
      std::size_t here = from / stride % extent(axis);
      const std::size_t target = to / stride % extent(axis);
      // The way that is begun is kept, also past half a ring.
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

  /// Hops of that route.
  std::size_t hops(std::size_t from, std::size_t to) const;

  /// Hops of the longest of all routes.
  std::size_t most_hops() const;

  /// The nodes that a link leads from and to.
  std::pair<std::size_t, std::size_t> ends_of(std::size_t link) const;

  /// Hops of the shortest ways from a node in the middle to all nodes, ascending. No node has more others near it, at
  /// whatever distance: on wrapped axes all are alike, on open ones the middle has the nearest ends.
  std::vector<std::size_t> hops_from_the_middle() const;

  /// Links out of every node; as many lead in.
  std::vector<std::size_t> link_counts() const;

 private:
  std::size_t extent(std::size_t axis) const { return grid_.axes()[axis].extent; }
  /// Two nodes have one link each way, whatever the ends of their axis.
  bool is_wrapped(std::size_t axis) const {
    return grid_.axes()[axis].ends == Ends::wrapped && extent(axis) > 2;
  }
  bool goes_up(std::size_t axis, std::size_t from, std::size_t to) const;
  std::size_t hops(std::size_t axis, std::size_t from, std::size_t to) const;

  Grid grid_;
  Tie tie_;
  std::vector<std::size_t> long_axes_;  ///< those of more than one node, which alone have links
};

}  // namespace cubefold::planner
