#include "planner/drawing/drawn_phases.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "cubefold/plan/mapping.hpp"

namespace cubefold::planner {

namespace {

std::string sent_in(std::span<const Phase> phases) {
  std::vector<std::string> names;
  names.reserve(phases.size());
  for (const Phase& phase : phases)
    names.push_back(phase.weight == 1 ? phase.name : fmt::format("{}*{:g}", phase.name, phase.weight));
  return fmt::format("{}{}", fmt::join(names, ", "), names.size() > 1 ? " at once" : "");
}

}  // namespace

void require_drawable(const Grid& grid) {
  constexpr std::size_t most_nodes = 1024;
  if (grid.node_count() <= most_nodes) return;
  throw std::invalid_argument(
      fmt::format("draw: {} has {} nodes; the most is {}", to_string(grid), grid.node_count(), most_nodes));
}

std::string noun_of(std::span<const Phase> phases) {
  const auto is_of_profile = [](const Phase& phase) { return phase.name.starts_with("profile:"); };
  return !phases.empty() && std::ranges::all_of(phases, is_of_profile) ? "bytes" : "messages";
}

std::string caption_of(const Grid& grid, std::span<const Phase> phases, Tie tie) {
  constexpr std::size_t most_characters = 120;
  std::string sent = phases.empty() ? "" : "; " + sent_in(phases);
  if (sent.size() > most_characters) sent = fmt::format("; {} phases at once", phases.size());
  const bool has_ties = grid.route_table() == nullptr && !phases.empty();
  return fmt::format("{}, ranks on their nodes{}{}", to_string(grid), sent,
                     has_ties ? fmt::format(", {} ties", to_string(tie)) : "");
}

double bound_of(const Allocation& allocation, std::span<const Phase> phases,
                const std::optional<Bricks>& bricks) {
  if (phases.empty() || !allocation.is_even()) return 0;
  constexpr auto together = MappingObjective::busiest_link_together;
  if (!bricks) return lower_bound(allocation.grid, phases, together, allocation.per_node()).value;
  return lower_bound(allocation.grid, numbered_by_bricks(phases, *bricks), together, allocation.per_node())
      .value;
}

}  // namespace cubefold::planner
