#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cubefold/plan/mapping.hpp"
#include "joint_rule.hpp"

namespace cubefold {

/// What a search works with, in the units of exact values: nearly exact, as a double.
JointValue in_units(const MappingValues& values);
double in_units(const ExactSum& sum);

/// Keeps the best of the placements that are entered: that with the smallest objective, and among equals with the
/// fewest hop-bytes. Of equals the first stays, but a rule replaces a table of nodes.
class Contest {
 public:
  /// Keeps references to grid, phases and options. Throws what lower_bound() does.
  Contest(const Grid& grid, std::span<const Phase> phases, const MappingOptions& options);

  const Grid& grid() const { return grid_; }
  /// What groups, of which there is one per node, send each other: of weight 1, in the units of exact values.
  std::span<const Phase> groups() const { return groups_; }
  const MappingOptions& options() const { return options_; }
  const LowerBound& bound() const { return bound_; }

  /// The best placement so far: its values, its text as parse_placement() reads it, and the node of every group.
  const MappingValues& values() const { return values_; }
  const std::string& text() const { return text_; }
  const std::vector<GridNode>& nodes() const { return nodes_; }

  /// Whether the best placement so far is as good as any can be.
  bool is_over() const { return values_.exact_objective <= bound_.exact_value; }

  /// Begins a search: says in a few words where the placements that follow come from.
  void look_at(std::string what);

  /// Replaces the words of the last search.
  void rename(std::string what) { looked_at_.back() = std::move(what); }

  /// Enters the placement that parse_placement() reads.
  void enter(const std::string& rule);

  /// Enters a node for every group. It counts as a rule if some rule of the joint optimiser gives these nodes.
  void enter(std::vector<GridNode> nodes);

  /// The words of all searches, joined by `; `. The one that found the best placement is marked if it is one of
  /// several.
  std::string searched() const;

  /// The best placement and what can be said for it.
  Mapping mapping() const;

 private:
  /// Whether these nodes are the best now; then their values are kept.
  bool wins(const std::vector<GridNode>& nodes, bool is_table);

  const Grid& grid_;
  std::span<const Phase> phases_;
  const MappingOptions& options_;
  std::vector<Phase> groups_;
  LowerBound bound_;
  MappingValues values_;
  std::string text_;
  std::vector<GridNode> nodes_;
  bool is_table_ = false;
  std::vector<std::string> looked_at_;
  std::size_t best_from_ = 0;  ///< how many searches had begun when the best placement was entered
};

}  // namespace cubefold
