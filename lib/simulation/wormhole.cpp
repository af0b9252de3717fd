#include "wormhole.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace cubefold {

namespace {

void require_no_wrap_link(const Grid& grid, std::string_view router) {
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    if (grid.has_wrap_link(axis)) {
      throw std::invalid_argument(
          fmt::format("{}: axis {} of {} is a ring, on which wormholes deadlock without virtual channels",
                      router, axis, to_string(grid)));
    }
  }
}

/// Returns the links of `here` in one direction that bring a message nearer to `to`, in the order of axes.
std::vector<Link> nearer(const Grid& grid, Direction direction, GridNode here, GridNode to) {
  std::vector<Link> links;
  for (int axis = 0; axis < grid.axis_count(); ++axis) {
    const auto from = grid.coordinate(here, axis);
    const auto end = grid.coordinate(to, axis);
    if (direction == Direction::positive ? from < end : from > end) links.push_back({here, axis, direction});
  }
  return links;
}

/// Holds the dependences between links: a directed graph whose nodes are links.
class Dependences {
 public:
  explicit Dependences(std::size_t link_count) : next_(link_count) {}

  void add(std::size_t link, std::size_t next) { next_[link].push_back(next); }

  /// Returns whether the graph has a cycle. Removes links on which no other one depends, until none is left or a cycle
  /// remains.
  bool have_a_cycle() {
    for (auto& next : next_) {
      std::sort(next.begin(), next.end());
      next.erase(std::unique(next.begin(), next.end()), next.end());
    }
    std::vector<std::size_t> dependent_count(next_.size());
    for (const auto& next : next_) {
      for (const auto link : next) ++dependent_count[link];
    }
    std::vector<std::size_t> free;
    for (std::size_t link = 0; link < next_.size(); ++link) {
      if (dependent_count[link] == 0) free.push_back(link);
    }
    for (std::size_t taken = 0; taken < free.size(); ++taken) {
      for (const auto link : next_[free[taken]]) {
        if (--dependent_count[link] == 0) free.push_back(link);
      }
    }
    return free.size() < next_.size();
  }

 private:
  std::vector<std::vector<std::size_t>> next_;
};

}  // namespace

Router dimension_order(const Grid& grid) {
  require_no_wrap_link(grid, "dimension_order");
  return [grid](GridNode here, GridNode to) {
    std::vector<Link> links;
    for (int axis = 0; links.empty() && axis < grid.axis_count(); ++axis) {
      const auto steps = axis_steps(grid, axis, here, to, Tie::positive);
      if (steps != 0) links.push_back({here, axis, steps > 0 ? Direction::positive : Direction::negative});
    }
    return links;
  };
}

Router negative_first(const Grid& grid) {
  require_no_wrap_link(grid, "negative_first");
  return [grid](GridNode here, GridNode to) {
    auto links = nearer(grid, Direction::negative, here, to);
    return links.empty() ? nearer(grid, Direction::positive, here, to) : links;
  };
}

bool is_free_of_cyclic_waits(const Grid& grid, const Router& router) {
  Dependences dependences(link_index_count(grid));
  for (std::size_t to = 0; to < grid.node_count(); ++to) {
    for (std::size_t here = 0; here < grid.node_count(); ++here) {
      for (const Link& link : router(static_cast<GridNode>(here), static_cast<GridNode>(to))) {
        for (const Link& next : router(end_of(grid, link), static_cast<GridNode>(to))) {
          dependences.add(link_index(grid, link), link_index(grid, next));
        }
      }
    }
  }
  return !dependences.have_a_cycle();
}

}  // namespace cubefold
