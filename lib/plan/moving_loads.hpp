#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "cubefold/plan/mapping.hpp"
#include "joint_rule.hpp"

namespace cubefold {

/// The loads of all links under a placement, kept up to date while pairs of ranks change places.
///
/// A swap walks the routes of what the two ranks send and receive. The largest load of each block of links is kept too,
/// so that only blocks whose busiest link became less busy are looked through for the busiest of all.
class MovingLoads {
 public:
  /// The phases are between as many ranks as there are nodes. Call move_all_to() first. Keeps a reference to the grid.
  MovingLoads(const Grid& grid, std::span<const Phase> phases, MappingObjective objective, Tie tie);

  /// Puts every rank on a node, and counts all loads anew. O(messages * hops).
  void move_all_to(std::span<const GridNode> nodes);

  /// The objective, and in the place of hops the sum of the squares of loads, or 0 if hops are the objective.
  JointValue value() const { return value_; }

  std::vector<GridNode> nodes() const { return {node_of_rank_.begin(), node_of_rank_.end()}; }
  std::size_t rank_count() const { return node_of_rank_.size(); }

  /// The elementary operations so far, of a nanosecond or so each.
  double work() const { return work_; }

  /// Swaps the nodes of two ranks. O(their messages * hops).
  void swap(std::uint32_t a, std::uint32_t b);

  /// Takes the last swap back. Once after each swap, and not after move_all_to(). Old loads are restored, so nothing is
  /// rounded.
  void undo();

  std::uint32_t rank_on(GridNode node) const { return rank_of_node_[static_cast<std::size_t>(node)]; }
  GridNode node_of(std::uint32_t rank) const { return node_of_rank_[rank]; }

  /// Returns the ranks that a rank sends to or receives from, once for each of its messages.
  std::span<const std::uint32_t> partners(std::uint32_t rank) const {
    return std::span(partners_).subspan(first_[rank], first_[rank + 1] - first_[rank]);
  }

  /// Returns the ranks whose messages load a busiest link, or all that have messages if hops are the objective.
  /// O(messages * hops).
  std::vector<std::uint32_t> busy_ranks();

 private:
  /// A message, in one of the sets of links whose loads add up.
  struct Message {
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
  void add(const Message& message, double amount);
  void add_to_link(const Message& message, std::size_t link, double amount);
  void change_messages_of(std::uint32_t a, std::uint32_t b, double sign);
  void exchange(std::uint32_t a, std::uint32_t b);
  void put(std::size_t place, double load);
  void find_value();

  const Grid& grid_;
  MappingObjective objective_;
  Tie tie_;
  std::vector<GridNode> node_of_rank_;
  std::vector<std::uint32_t> rank_of_node_;

  std::vector<Message> messages_;
  std::vector<std::size_t> first_;  ///< where each rank begins in the two lists that follow
  std::vector<std::size_t> messages_of_rank_;
  std::vector<std::uint32_t> partners_;

  std::vector<double> weights_;  ///< by set
  std::size_t links_of_set_;
  std::vector<double> loads_;  ///< by set, then by link_index()
  std::vector<double>
      busiest_;  ///< by block of links: no less than its largest load, and equal unless it is stale
  std::vector<double> busiest_of_set_;
  std::vector<bool> is_stale_;      ///< by block: whether its busiest link has become less busy
  std::vector<std::size_t> stale_;  ///< the blocks for which that is so

  Totals totals_;
  JointValue value_;
  double work_ = 0;

  // What undo() needs to know of the last swap.
  std::pair<std::uint32_t, std::uint32_t> swapped_;
  std::vector<OldLoad> old_loads_;
  Totals old_totals_;
  JointValue old_value_;
};

}  // namespace cubefold
