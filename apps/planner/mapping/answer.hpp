#pragma once

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

#include "cubefold/plan/bricks.hpp"
#include "cubefold/plan/mapping.hpp"
#include "planner/launchers/allocation.hpp"
#include "planner/mapping/phases.hpp"

namespace cubefold::planner {

/// An order of ranks on the nodes, and its values.
struct Candidate {
  std::string name;       ///< heading of its column in the table
  std::string placement;  ///< empty for an order from a file
  std::vector<GridNode> node_of_rank;
  MappingValues values;
};

/// Describes a request to `cubefold map`: the machine, the phases, the objective, and the orders to compare.
struct MapQuestion {
  Allocation allocation;
  DefinedPhases defined;
  MappingObjective objective = MappingObjective::busiest_links;
  Tie tie = Tie::balanced;
  std::uint64_t effort = MappingOptions{}.effort;
  std::string placement;         ///< rule to evaluate; empty: search for one
  std::optional<Bricks> bricks;  ///< the ranks that share a node; without it consecutive ranks do
  /// The grid of ranks that --bricks names, for which the search chooses bricks.
  std::vector<std::uint32_t> ranks;
  /// Without bricks and ranks, the search chooses bricks for the grids of the halo exchanges among the phases.
  bool tries_bricks_of_halos = false;
  std::vector<Candidate> imported;  ///< orders from files, without values
};

/// Holds the results of a request, from which the table and the certificate are made.
struct MapAnswer {
  MapQuestion question;
  /// identity, standard and xor if they fit, and imported orders. With --bricks these rules place bricks, and the first
  /// order is `consecutive`, in which each node has consecutive ranks in the order of the nodes. Without it they place
  /// groups of consecutive ranks, also if the choice is of bricks.
  std::vector<Candidate> compared;
  Candidate choice;
  LowerBound bound;

  /// True if no placement is better than the choice, false if a compared order is better, and empty if neither is
  /// known.
  std::optional<bool> optimal;

  std::string searched;  ///< names of the searches that led to the choice
};

/// Evaluates the compared orders, and evaluates the requested placement or searches for the best one. The question of
/// the answer has the bricks that were chosen. Throws as choose_bricks() and Placement do.
MapAnswer answer_to(MapQuestion question);

/// Returns identity, and also standard and xor if all extents of the grid are powers of two.
std::vector<std::string> familiar_rules(const Grid& grid);

/// Returns the node of every rank under the placement, which places bricks, or groups of consecutive ranks: as many as
/// the node has that the placement names.
std::vector<GridNode> nodes_under(const Allocation& allocation, const std::string& placement,
                                  const std::optional<Bricks>& bricks = {});

/// Returns the name of the objective: busiest-links, together or hop-bytes.
std::string to_string(MappingObjective objective);

/// Returns the first compared order that is better than the choice, or null if there is none.
const Candidate* better_than_choice(const MapAnswer& answer);

/// Returns the answer with all data that `cubefold verify` needs to compute it again.
///
/// | key                                        | value                                                           |
/// |--------------------------------------------|-----------------------------------------------------------------|
/// | grid, per_node                             | the machine: nodes, and ranks on each (a list if they differ)   |
/// | bricks                                     | which ranks share a node, if they are not consecutive, as text  |
/// | routing, tie                               | `dimension-order` or `table`; positive or balanced              |
/// | objective                                  | busiest-links, together or hop-bytes                            |
/// | phases                                     | name, weight, messages (their sum), and for phases from files   |
/// |                                            | lcc (the lines) or traffic (from, to, messages)                 |
/// | placement, node_of_rank                    | the choice: its rule, and its table                             |
/// | busiest_link, busiest_link_together,       | its values: messages per phase; messages times weights;         |
/// | average_hops, hop_bytes, value             | value is the objective's                                        |
/// | lower_bound, bound_source                  | the lower bound of all placements, and its reason               |
/// | optimal                                    | true: value is exactly the bound; false: a compared order is    |
/// |                                            | better; or "unknown"                                            |
/// | compared                                   | the same values of other orders. `name` is the placement, or    |
/// |                                            | node_of_rank has the table: of a file, of `consecutive`, and of |
/// |                                            | rules of consecutive ranks if the choice is of bricks           |
nlohmann::ordered_json certificate_of(const MapAnswer& answer);

}  // namespace cubefold::planner
