#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cubefold/plan/mapping.hpp"
#include "joint_rule.hpp"

namespace cubefold {

/// These convert exact values to doubles, in the same units, for searches.
JointValue in_units(const MappingValues& values);
double in_units(const ExactSum& sum);

/// Keeps the best of the placements that are offered: the one with the smallest objective, and among equal objectives
/// the one with the fewest hop-bytes. Among equal placements the first one stays, but a rule replaces a table of nodes.
class BestPlacement {
 public:
  /// Keeps references to grid, phases and options. Throws as lower_bound().
  BestPlacement(const Grid& grid, std::span<const Phase> phases, const MappingOptions& options);

  const Grid& grid() const { return grid_; }
  /// Returns the messages between groups of ranks, one group per node, with weight 1 and in the units of exact values.
  std::span<const Phase> groups() const { return groups_; }
  const MappingOptions& options() const { return options_; }
  const LowerBound& bound() const { return bound_; }

  /// These return the best placement so far: its values, its text as parse_placement() reads it, and the node of every
  /// group.
  const MappingValues& values() const { return values_; }
  const std::string& text() const { return text_; }
  const std::vector<GridNode>& nodes() const { return nodes_; }

  /// Returns whether the best placement so far reaches the lower bound.
  bool is_over() const { return values_.exact_objective <= bound_.exact_value; }

  /// Returns whether all links of the network carry as much of each phase as its busiest link, so that only a placement
  /// with fewer hops can be better. Networks with route tables, whose links may have rates, never count as evenly
  /// loaded.
  bool is_evenly_loaded() const;

  /// Returns whether the links of the network carry on average at least three quarters of its busiest one. Many are the
  /// busiest then, and a swap of two nodes cannot relieve them. This, too, is never so with route tables.
  bool is_mostly_busy() const;

  /// Begins a search with the given name. The placements that are offered next belong to it.
  void begin_search(std::string what);

  /// Replaces the name of the last search.
  void rename(std::string what) { searches_.back() = std::move(what); }

  /// Offers a placement in the form that parse_placement() reads.
  void offer(const std::string& rule);

  /// Returns whether only rules are searched: if the options say so, the extents are powers of two, and there is no
  /// route table.
  bool is_of_rules_only() const { return is_of_rules_only_; }

  /// Offers a placement by the node of every group. It counts as a rule if some JointRule gives these nodes. If only
  /// rules are searched, other placements are ignored.
  void offer(std::vector<GridNode> nodes);

  /// Returns the names of all searches, joined by `; `. If there are several, the one that found the best placement is
  /// marked.
  std::string searched() const;

  /// Returns the best placement with its values and its bound.
  Mapping mapping() const;

 private:
  /// Returns the sum of the loads of all links if each had that of the busiest one, or infinity where links are not
  /// compared.
  double load_if_all_were_busiest() const;

  /// Returns whether these nodes are better than the best placement so far, and if so keeps their values.
  bool wins(const std::vector<GridNode>& nodes, bool is_table);

  const Grid& grid_;
  std::span<const Phase> phases_;
  const MappingOptions& options_;
  std::vector<Phase> groups_;
  LowerBound bound_;
  MappingValues values_;
  std::string text_;
  std::vector<GridNode> nodes_;
  bool is_of_rules_only_;
  bool is_table_ = false;
  std::vector<std::string> searches_;
  std::size_t best_from_ = 0;  ///< number of searches begun when the best placement was offered
};

}  // namespace cubefold
