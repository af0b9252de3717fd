#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold::planner {

/// A grid walked hop by hop, with nothing of the code that optimises.
class Network {
 public:
  /// (from, to) of a link that carries something -> what it carries.
  using Loads = std::map<std::pair<std::size_t, std::size_t>, double>;

  Network(Grid grid, Tie tie) : grid_(std::move(grid)), tie_(tie) {}

  const Grid& grid() const { return grid_; }

  /// Adds messages to every link of the route, axis 0 first. The number of hops.
  std::size_t send(std::size_t from, std::size_t to, double messages, Loads& loads) const;

  /// Hops of the shortest ways from a node in the middle to all nodes, ascending. No node has more others near it, at whatever
  /// distance: on wrapped axes all are alike, on open ones the middle has the nearest ends.
  std::vector<std::size_t> hops_from_the_middle() const;

  /// Links out of every node; as many lead in.
  std::vector<std::size_t> link_counts() const;

 private:
  using Coordinates = std::vector<std::size_t>;

  std::size_t extent(std::size_t axis) const { return grid_.axes()[axis].extent; }
  bool is_wrapped(std::size_t axis) const { return grid_.axes()[axis].ends == Ends::wrapped; }
  Coordinates coordinates(std::size_t node) const;
  std::size_t node(const Coordinates& coordinates) const;
  bool goes_up(std::size_t axis, std::size_t from, std::size_t to) const;
  std::size_t hops(std::size_t axis, std::size_t from, std::size_t to) const;

  Grid grid_;
  Tie tie_;
};

}  // namespace cubefold::planner
