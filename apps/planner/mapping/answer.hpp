#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cubefold/plan/mapping.hpp"
#include "planner/launchers/allocation.hpp"
#include "planner/mapping/phases.hpp"

namespace cubefold::planner {

/// An order of ranks and what it costs.
struct Candidate {
  std::string name;       ///< as the heading of a column
  std::string placement;  ///< empty for an order that came in a file
  std::vector<GridNode> node_of_rank;
  MappingValues values;
};

/// What is asked, apart from the allocation and the phases.
struct MapQuestion {
  Allocation allocation;
  std::vector<DefinedPhase> phases;
  MappingObjective objective = MappingObjective::busiest_links;
  Tie tie = Tie::balanced;
  std::uint64_t effort = MappingOptions{}.effort;
  std::string placement;            ///< empty: the best that is found
  std::vector<Candidate> imported;  ///< without their values
};

/// What is printed, written and certified, as values.
struct MapAnswer {
  MapQuestion question;
  std::vector<Candidate> compared;  ///< identity, standard and xor where they fit, then what was imported
  Candidate choice;
  LowerBound bound;

  /// Whether the choice is as good as any placement can be, false if one of those compared is better, nothing if
  /// neither is known.
  std::optional<bool> optimal;

  std::string searched;  ///< what the choice was made from
};

/// Throws what choose_placement() and Placement do.
MapAnswer answer_to(MapQuestion question);

/// The rule's node for every group of per_node successive ranks.
std::vector<GridNode> nodes_under(const Allocation& allocation, const std::string& placement);

/// busiest-links, together, hop-bytes.
std::string to_string(MappingObjective objective);

/// The one compared that is better than the choice, if any is.
const Candidate* better_than_choice(const MapAnswer& answer);

}  // namespace cubefold::planner
