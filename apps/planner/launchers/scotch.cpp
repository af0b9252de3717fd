#include <fmt/format.h>

#include <algorithm>

#include "planner/launchers/launcher.hpp"
#include "planner/launchers/rank_table.hpp"

namespace cubefold::planner {

namespace {

/// Returns a line with the number of ranks, and then a line `RANK NODE` for each rank. Scotch counts nodes with axis 0
/// fastest, as Grid does. Nodes that the job does not have are counted, too.
std::string scotch_text(const Allocation& allocation, std::span<const GridNode> node_of_rank) {
  const WholeNetwork whole = whole_network_of(allocation.grid);
  std::string text = fmt::format("{}\n", node_of_rank.size());
  for (std::size_t rank = 0; rank < node_of_rank.size(); ++rank) {
    const GridNode node = whole.node_of_vertex[static_cast<std::size_t>(node_of_rank[rank])];
    text += fmt::format("{}\t{}\n", rank, static_cast<std::uint32_t>(node));
  }
  return text;
}

std::vector<GridNode> read_scotch(const Allocation& allocation, Lines& lines) {
  const WholeNetwork whole = whole_network_of(allocation.grid);
  RankTable table(allocation, lines);
  if (!lines.next() || lines.whole_number(lines.line(), "the number of ranks") != allocation.rank_count()) {
    lines.fail(fmt::format("the file must begin with the number of ranks, {}", allocation.rank_count()));
  }
  while (lines.next()) {
    const auto words = lines.words();
    if (words.size() != 2) lines.fail(fmt::format("'{}' is not RANK NODE", lines.line()));
    const auto node = table.node_numbered(whole, lines.whole_number(words[1], "the node"));
    table.place(lines.whole_number(words[0], "the rank"), node);
  }
  return std::move(table).take();
}

/// Returns the grid as Scotch names a target architecture, such as `torusXD 3 4 4 4`. Returns nothing if some axes are
/// open and others are wrapped, or if links do not follow from axes, because Scotch has no name for such a grid.
std::optional<std::string> scotch_target(const Grid& grid) {
  if (grid.route_table() != nullptr) return std::nullopt;
  const auto& axes = grid.axes();
  if (std::ranges::all_of(axes, [](const Axis& axis) { return axis.extent == 2; })) {
    return fmt::format("hcub {}", axes.size());
  }
  const auto wrapped = [](const Axis& axis) { return axis.ends == Ends::wrapped; };
  const bool is_torus = std::ranges::all_of(axes, wrapped);
  if (!is_torus && std::ranges::any_of(axes, wrapped)) return std::nullopt;
  std::string target = fmt::format("{}XD {}", is_torus ? "torus" : "mesh", axes.size());
  for (const Axis& axis : axes) target += fmt::format(" {}", axis.extent);
  return target;
}

}  // namespace

const LauncherFormat scotch_format{
    .name = "scotch",
    .used_by = "Scotch: gmap, gmtst",
    .has_nodes = true,
    .has_comments = false,
    .text = scotch_text,
    .read = read_scotch,
    .usage = [](const Allocation& allocation, const std::string&) {
      return fmt::format(
          "a mapping as gmap writes it; the target is {}",
          scotch_target(whole_network_of(allocation.grid).grid).value_or("none that Scotch has a name for"));
    }};

}  // namespace cubefold::planner
