#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cubefold/embedding/placement.hpp"
#include "cubefold/export.h"
#include "cubefold/plan/phase.hpp"
#include "cubefold/topology/grid.hpp"
#include "cubefold/topology/route.hpp"

namespace cubefold {

/// The quantity that a placement should minimise for a set of phases r of weight w_r whose load on link l is L_r(l).
///
/// | objective               | value                                | for phases that            |
/// |-------------------------|--------------------------------------|----------------------------|
/// | `busiest_links`         | sum_r w_r max_l L_r(l)               | run one after the other    |
/// | `busiest_link_together` | max_l sum_r w_r L_r(l)               | run at the same time       |
/// | `hop_bytes`             | sum_r w_r sum_l L_r(l)               | share the network          |
///
/// On a grid with a route table, messages follow the table, and the first two divide the load of a link by its rate:
/// they count what a link of rate 1 carries in the same time.
enum class MappingObjective : std::uint8_t { busiest_links, busiest_link_together, hop_bytes };

/// A sum of messages times weights without rounding: high * 2^64 + low units. The unit depends only on the grid and the
/// phases, so values and bounds of the same phases on the same grid compare exactly.
///
/// Weights and messages count as the shortest decimals that are read as these numbers: 0.1 and 0.2 add up to exactly
/// 0.3. Sums have up to 37 digits. Amounts that need more digits are rounded to 37. If the links of the grid have
/// different rates, sums have up to 33 digits, rates are rounded to four decimals, and loads over rates are rounded up
/// to a thousandth of the unit that they would have otherwise.
struct ExactSum {
  std::uint64_t high = 0;
  std::uint64_t low = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 misreads the comparison that this makes
  auto operator<=>(const ExactSum&) const = default;
};

/// The cost of phases under a placement. Messages between ranks of one node cost nothing and are not counted. The
/// numbers are the doubles nearest to exact sums; average_hops is the quotient of two such sums.
struct MappingValues {
  /// The load of the busiest link of each phase, without the weight of the phase.
  std::vector<double> busiest_link;
  /// The load of the busiest link under all phases together, each with its weight.
  double busiest_link_together = 0;
  /// The mean number of hops of a message between two nodes, where messages count with the weights of their phases. It
  /// is 0 if there are no messages.
  double average_hops = 0;
  /// The sum over all messages of messages times hops times the weight of the phase.
  double hop_bytes = 0;
  /// The value of the objective that was asked for.
  double objective = 0;

  ExactSum exact_objective;
  ExactSum exact_hop_bytes;
};

/// Returns whether the first objective is smaller, or both are equal and the first placement has fewer hop-bytes.
CUBEFOLD_API bool is_better(const MappingValues& one, const MappingValues& other);

/// Returns the cost of phases under a placement, from the routes of all messages. Any number of ranks may share a node.
/// Throws std::invalid_argument for a node that the grid does not have, for traffic of a rank that has no node, for
/// messages or weights that are not amounts (is_amount()), and if 37 digits cannot hold both the smallest amount and
/// the sum over all hops. Costs O(messages * axes + phases * links), or O(messages * hops + phases * links) with a
/// route table.
CUBEFOLD_API MappingValues evaluate(const Grid& grid, std::span<const GridNode> node_of_rank,
                                    std::span<const Phase> phases,
                                    MappingObjective objective = MappingObjective::busiest_links,
                                    Tie tie = Tie::balanced);

/// A value below which no placement goes, with its exact value and the bound that gives it.
struct LowerBound {
  double value = 0;
  std::string source;
  ExactSum exact_value;
};

/// Returns a lower bound of the objective for every bijection of groups of `per_node` ranks (those with equal rank /
/// per_node) to nodes, under every tie rule. The bound is the largest of these, and `source` names it (n is the number
/// of nodes):
///
/// - hops: at best the partners of a rank are on the nodes nearest to it, with the busiest partner nearest, and the sum
///   of all hops is spread evenly over all links.
/// - ports: at best the messages that a node sends (or receives) are spread evenly over its links, and the busiest
///   groups are on the nodes with the most links.
/// - largest message: routes are fixed and do not split, so all that one group sends another crosses the same links,
///   of which none is faster than the fastest.
/// - routes: in a complete exchange between all groups, every link has the same load under every placement. Balanced
///   ties load the busiest link least.
/// - cut: if all cube dimensions are among the phases, any m labels together have at least a known number of neighbours
///   outside (Harper 1964), and the links that leave a slab of m nodes carry the messages to them.
///
/// With a route table, the distance of two nodes is the number of links on the shorter of the two routes between them.
/// Only links that some route uses count, and each of them counts with its rate.
///
/// If all rates are 1, values are rounded up to multiples of the largest size of which all messages are multiples. The
/// busiest links of the phases add up to no less than the busiest link of all phases together, so the bound of the
/// latter also holds for the former. Throws std::invalid_argument as evaluate() does, and for per_node 0. Costs
/// O(messages log messages + n axes), and O(n^2) more with a route table.
CUBEFOLD_API LowerBound lower_bound(const Grid& grid, std::span<const Phase> phases,
                                    MappingObjective objective = MappingObjective::busiest_links,
                                    std::size_t per_node = 1);

struct MappingOptions {
  MappingObjective objective = MappingObjective::busiest_links;
  Tie tie = Tie::balanced;

  /// The number of ranks that share a node: those with equal rank / per_node. There are grid.node_count() * per_node
  /// ranks.
  std::size_t per_node = 1;

  /// The seed of the random choices in local searches, which run if there are too many placements to examine all of
  /// them.
  std::uint64_t seed = 1;

  /// The approximate number of elementary operations that the searches may take; 10^9 operations take a few seconds.
  /// The limit is work instead of time, so that every process of a program finds the same placement.
  std::uint64_t effort = std::uint64_t{4'000'000'000};

  /// If true, all extents are powers of two and the grid has no route table, only rules are searched, and no tables of
  /// nodes. A table may be better.
  /// A rule takes no memory, pipelined exchanges require one, and the search takes milliseconds for named phases of
  /// some hundred ranks.
  bool rules_only = false;

  /// Placements that take part besides those that are searched, such as the one of a scheduler. Each lists the node of
  /// every group, and every node once. No result is worse than one of them. Local searches also start from them. If
  /// rules_only has an effect, placements that no rule gives are left out.
  std::vector<std::vector<GridNode>> starts;
};

/// A placement of groups of per_node ranks on the nodes of a grid, with its cost and its lower bound.
struct Mapping {
  /// The placement of groups, as parse_placement() reads it.
  std::string placement;

  /// The node of each rank; it has grid.node_count() * per_node entries.
  std::vector<GridNode> node_of_rank;

  MappingValues values;

  /// The lower bound over all placements, not only over those that were searched.
  LowerBound bound;

  /// True if the value is exactly the bound, so that no placement of groups is better. Empty if this is not proven.
  std::optional<bool> optimal;

  /// The names of the searches, as "exhaustive over embeddings per axis and orders of bits", joined by "; ". If there
  /// are several, " (the choice)" follows the one that found the placement.
  std::string searched;
};

/// Returns the placement with the smallest objective of those that are searched. Among equal objectives it has the
/// fewest hop-bytes. The identity is always among the candidates and wins ties. Equal arguments give equal results.
///
/// Throws std::invalid_argument for phases that do not fit the grid, for an empty list of phases, for per_node 0, and
/// for a start that does not list every node once.
CUBEFOLD_API Mapping choose_placement(const Grid& grid, std::span<const Phase> phases,
                                      const MappingOptions& options = {});

/// Returns the placement that a text names on a grid. For `auto:PHASE+PHASE`, it is the one that choose_placement()
/// finds for the phases that parse_phases() reads, with MappingOptions::rules_only. With per_node above 1 the phases
/// are those of grid.node_count() * per_node ranks, and the placement is that of groups of per_node ranks. Any other
/// text is read by parse_placement(). The result is the same on every process, and its rule does not contain `auto`.
/// Throws std::invalid_argument as these functions do.
CUBEFOLD_API Placement place(const Grid& grid, std::string_view text, std::size_t per_node = 1);

}  // namespace cubefold
