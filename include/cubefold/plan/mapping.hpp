#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/plan/phase.hpp"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// What a placement is to make small for a set of phases r of weight w_r, whose load on link l is L_r(l).
///
/// | objective               | value                                | for phases that            |
/// |-------------------------|--------------------------------------|----------------------------|
/// | `busiest_links`         | sum_r w_r max_l L_r(l)               | run one after the other    |
/// | `busiest_link_together` | max_l sum_r w_r L_r(l)               | run at the same time       |
/// | `hop_bytes`             | sum_r w_r sum_l L_r(l)               | share the network          |
enum class MappingObjective : std::uint8_t { busiest_links, busiest_link_together, hop_bytes };

/// A sum of messages times weights without rounding: high * 2^64 + low units. The unit depends on the grid and the
/// phases only, so values and bounds of the same phases on the same grid compare exactly.
///
/// Weights and messages count as the shortest decimals that are read as these numbers: 0.1 and 0.2 are exactly 0.3.
/// Sums have 37 digits; amounts that need more are rounded to that.
struct ExactSum {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 misreads the comparison that this makes
  auto operator<=>(const ExactSum&) const = default;
};

/// The cost of phases under a placement. Messages between ranks of one node cost nothing and are not counted. The
/// numbers are the doubles nearest to exact sums, and average_hops the quotient of two of them.
struct MappingValues {
  /// One entry per phase, without its weight.
  std::vector<double> busiest_link;
  /// Every phase with its weight.
  double busiest_link_together = 0;
  /// Hops of a message between two nodes, averaged over messages times the weights of their phases; 0 without any.
  double average_hops = 0;
  /// Messages times hops times weight of the phase.
  double hop_bytes = 0;
  /// The value of the objective that was asked for.
  double objective = 0;

  ExactSum exact_objective;
  ExactSum exact_hop_bytes;
};

/// By enumeration of all routes: O(messages * axes + phases * links). Any number of ranks may share a node. Throws
/// std::invalid_argument for a node that the grid does not have, traffic of a rank that has no node, messages or
/// weights that are no amounts, and those of which 37 digits do not hold both the smallest and the sum over all hops.
CUBEFOLD_API MappingValues evaluate(const Grid& grid, std::span<const GridNode> node_of_rank,
                                    std::span<const Phase> phases,
                                    MappingObjective objective = MappingObjective::busiest_links,
                                    Tie tie = Tie::balanced);

/// What no placement goes below, and why.
struct LowerBound {
  double value = 0;
  std::string source;
  ExactSum exact_value;
};

/// A value of the objective that holds for every bijection of groups of `per_node` ranks (those with equal
/// rank / per_node) to nodes, whatever the tie rule. With n nodes it is the largest of these, `source` says which:
///
/// - hops: a node's partners sit at best on the nodes nearest to it, the busiest partner nearest; what the hops
///   add up to is spread over all links at best.
/// - ports: what a node sends, or receives, is spread over its links at best; the busiest nodes have the most links
///   at best.
/// - cut: where all cube dimensions are among the phases, any m labels have together at least so many neighbours
///   elsewhere (Harper 1964), and the links out of a slab of nodes carry what goes there.
///
/// Values are rounded up to multiples of the largest size of which all messages are multiples. Busiest links of phases
/// add up to no less than the busiest link of all together. Throws std::invalid_argument as evaluate() does. O(messages
/// log messages + n axes).
CUBEFOLD_API LowerBound lower_bound(const Grid& grid, std::span<const Phase> phases,
                                    MappingObjective objective = MappingObjective::busiest_links,
                                    std::size_t per_node = 1);

struct MappingOptions {
  MappingObjective objective = MappingObjective::busiest_links;
  Tie tie = Tie::balanced;

  /// Ranks with equal rank / per_node share a node. There are grid.node_count() * per_node ranks.
  std::size_t per_node = 1;

  /// Of the random choices that searches make where there are too many placements to look at all.
  std::uint64_t seed = 1;

  /// Roughly how many elementary operations the searches may take, some 10^9 of which are a few seconds. Work and not
  /// time, so that every process of a program comes to the same answer.
  std::uint64_t effort = std::uint64_t{4'000'000'000};

  /// Whether only rules are looked at, where all extents are powers of two, and no tables of nodes. A table may be
  /// better. A rule takes no memory, pipelined exchanges need one, and for named phases of some hundred ranks it is
  /// found in milliseconds.
  bool rules_only = false;
};

/// A placement of groups of per_node ranks on the nodes of a grid, and what can be said for it.
struct Mapping {
  /// As parse_placement() reads it, for a grid of groups.
  std::string placement;

  /// One entry per rank: grid.node_count() * per_node.
  std::vector<GridNode> node_of_rank;

  MappingValues values;

  /// Over all placements, not only those that were looked at.
  LowerBound bound;

  /// True: the value is exactly the bound, so no placement of groups is better. False: a better one is known to exist.
  /// Nothing: neither is proven.
  std::optional<bool> optimal;

  /// The searches in words, as "exhaustive over embeddings per axis and orders of bits", joined by "; ". Of several the
  /// one that found the placement ends with " (the choice)".
  std::string searched;
};

/// The placement with the smallest objective, and among equals with the fewest hop-bytes, of those that are searched.
/// The identity always competes and wins ties. Reproducible: equal arguments give equal results.
///
/// Throws std::invalid_argument for phases that do not fit the grid, no phases, and per_node 0.
CUBEFOLD_API Mapping choose_placement(const Grid& grid, std::span<const Phase> phases,
                                      const MappingOptions& options = {});

}  // namespace cubefold
