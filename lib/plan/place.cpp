#include "cubefold/plan/place.hpp"

#include "cubefold/plan/mapping.hpp"
#include "cubefold/plan/phase.hpp"

namespace cubefold {

Placement place(const Grid& grid, std::string_view text) {
  constexpr std::string_view prefix = "auto:";
  if (!text.starts_with(prefix)) return {grid, parse_placement(text)};
  const auto phases = parse_phases(text.substr(prefix.size()), grid.node_count(), &grid);
  // A single rank has no dimension to send in, so that `cube` is no phase at all.
  if (phases.empty()) return {grid, parse_placement("identity")};
  MappingOptions options;
  options.rules_only = true;
  return {grid, parse_placement(choose_placement(grid, phases, options).placement)};
}

}  // namespace cubefold
