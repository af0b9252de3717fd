#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/plan/mapping.hpp"
#include "joint_rule.hpp"
#include "route_hops.hpp"

namespace cubefold {

/// The loads of all links under a placement, which are updated when two ranks swap their nodes.
///
/// A swap visits the routes of the messages that the two ranks send and receive. The largest load of each block of
/// links is kept as well, so that only blocks whose busiest link became less busy have to be searched again. Loads of
/// links with different rates compare as times: a load divided by the rate of its link.
class CUBEFOLD_API MovingLoads {
 public:
  /// The phases must have as many ranks as the grid has nodes. move_all_to() must be called before any other function.
  /// Keeps a reference to the grid.
  MovingLoads(const Grid& grid, std::span<const Phase> phases, MappingObjective objective, Tie tie);

  /// Puts every rank on a node, and counts all loads anew. Costs O(messages * hops).
  void move_all_to(std::span<const GridNode> nodes);

  /// Returns the objective. Its `hops` are the weighted sum of the squares of all loads, or 0 if the objective is
  /// hop_bytes.
  JointValue value() const { return value_; }

  std::vector<GridNode> nodes() const { return {node_of_rank_.begin(), node_of_rank_.end()}; }
  std::size_t rank_count() const { return node_of_rank_.size(); }

  /// Returns the number of elementary operations so far, of about a nanosecond each.
  double work() const { return work_; }

  /// Swaps the nodes of two ranks. Costs O(their messages * hops).
  void swap(std::uint32_t a, std::uint32_t b);

  /// Undoes the last swap. May be called once after each swap, and not after move_all_to(). It restores the old loads,
  /// so there are no rounding errors.
  void undo();

  std::uint32_t rank_on(GridNode node) const { return rank_of_node_[static_cast<std::size_t>(node)]; }
  GridNode node_of(std::uint32_t rank) const { return node_of_rank_[rank]; }

  /// Returns the ranks that a rank sends to or receives from, one entry for each of its messages.
  std::span<const std::uint32_t> partners(std::uint32_t rank) const {
    return std::span(partners_).subspan(first_[rank], first_[rank + 1] - first_[rank]);
  }

  /// Returns the ranks whose messages load a busiest link, or all ranks that have messages if the objective is
  /// hop_bytes. Costs O(messages * hops).
  std::vector<std::uint32_t> busy_ranks();

 private:
  /// A message, with the number of the set of loads to which it adds. Every phase has its own set for the objective
  /// busiest_links; otherwise there is one.
  struct WeightedMessage {
    std::uint32_t from;
    std::uint32_t to;
    double amount;
    std::size_t set;
  };
  struct OldLoad {
    std::size_t place;
    double load;
  };
  struct Totals {
    double squares = 0;
    double hops = 0;
  };

  void list_messages(std::span<const Phase> phases);
  void list_rates();

  /// Returns the time of the load at a place.
  double time(std::size_t place, double load) const {
    return slowness_.empty() ? load : load * slowness_[place % links_of_set_];
  }
  double time(std::size_t place) const { return time(place, loads_[place]); }
  double hops_between(GridNode from, GridNode to) const;
  void add(const WeightedMessage& message, double amount);
  void add_to_link(const WeightedMessage& message, std::size_t link, double amount);
  void change_messages_of(std::uint32_t a, std::uint32_t b, double sign);
  void exchange(std::uint32_t a, std::uint32_t b);
  void put(std::size_t place, double load);
  void find_value();

  const Grid& grid_;
  MappingObjective objective_;
  Tie tie_;
  std::vector<GridNode> node_of_rank_;
  std::vector<std::uint32_t> rank_of_node_;

  std::vector<WeightedMessage> messages_;
  std::vector<std::size_t> first_;  ///< index of each rank's first entry in the next two lists
  std::vector<std::size_t> messages_of_rank_;
  std::vector<std::uint32_t> partners_;

  std::vector<double> weights_;  ///< weight of each set
  std::size_t links_of_set_;
  /// The load of link l in set s is element s * links_of_set_ + l, with l = link_index().
  std::vector<double> loads_;
  std::vector<double> slowness_;  ///< 1 / rate of each link; empty if all rates are 1
  std::optional<RouteHops> route_hops_;
  /// The largest time of each block of links. It is too large only for blocks that are stale.
  std::vector<double> busiest_;
  std::vector<double> busiest_of_set_;
  /// A block is stale if its busiest link has become less busy.
  std::vector<bool> is_stale_;
  std::vector<std::size_t> stale_;  ///< numbers of the stale blocks

  Totals totals_;
  JointValue value_;
  double work_ = 0;

  // These describe the last swap for undo().
  std::pair<std::uint32_t, std::uint32_t> swapped_;
  std::vector<OldLoad> old_loads_;
  Totals old_totals_;
  JointValue old_value_;
};

}  // namespace cubefold
