#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "planner/launchers/launcher.hpp"
#include "planner/launchers/rank_table.hpp"

namespace cubefold::planner {

namespace {

constexpr int most_axes_of_vcoord = 3;

/// Returns the coordinates of a node in the whole network, of which the job may not have all nodes.
std::vector<std::uint32_t> coordinates_of(const WholeNetwork& whole, GridNode node) {
  return whole.grid.coordinates(whole.node_of_vertex[static_cast<std::size_t>(node)]);
}

void require_vcoord(const Grid& grid) {
  if (grid.axis_count() >= 1 && grid.axis_count() <= most_axes_of_vcoord) return;
  throw std::invalid_argument(fmt::format("vcoord: {} has {} axes; the format has 1 to {}", to_string(grid),
                                          grid.axis_count(), most_axes_of_vcoord));
}

std::vector<std::uint64_t> numbers(const Lines& lines, const std::vector<std::string_view>& words) {
  std::vector<std::uint64_t> result;
  result.reserve(words.size());
  for (const auto word : words) result.push_back(lines.whole_number(word, "the coordinate"));
  return result;
}

void require_count(const Lines& lines, std::size_t count, std::size_t needed, const Grid& grid) {
  if (count == needed) return;
  lines.fail(fmt::format("{} numbers where {} needs {}", count, to_string(grid), needed));
}

/// Returns the lines `(x,y,z)`. Line k has the coordinates of the node of rank k, axis 0 first. The format has at most
/// three axes.
std::string vcoord_text(const Allocation& allocation, std::span<const GridNode> node_of_rank) {
  const WholeNetwork whole = whole_network_of(allocation.grid);
  require_vcoord(whole.grid);
  std::string text;
  for (const GridNode node : node_of_rank) {
    text += fmt::format("({})\n", fmt::join(coordinates_of(whole, node), ","));
  }
  return text;
}

std::vector<GridNode> read_vcoord(const Allocation& allocation, Lines& lines) {
  const WholeNetwork whole = whole_network_of(allocation.grid);
  require_vcoord(whole.grid);
  RankTable table(allocation, lines);
  while (lines.next()) {
    std::string line(lines.line());
    if (!line.starts_with('(') || !line.ends_with(')')) {
      lines.fail(fmt::format("'{}' is not of the form (x,y,z)", line));
    }
    std::replace(line.begin(), line.end(), ',', ' ');
    const auto coordinates = numbers(lines, words_of_line(std::string_view(line).substr(1, line.size() - 2)));
    require_count(lines, coordinates.size(), whole.grid.axes().size(), whole.grid);
    table.place_next(table.node_at(whole, coordinates));
  }
  return std::move(table).take();
}

/// Returns the lines `x y z ... slot`. Line k has the coordinates of the node of rank k, axis 0 first, and the slot of
/// the rank. Every column is one named axis of Blue Gene, so the file does not depend on the order in which Blue Gene
/// counts its nodes.
std::string bgq_text(const Allocation& allocation, std::span<const GridNode> node_of_rank) {
  const WholeNetwork whole = whole_network_of(allocation.grid);
  const auto slots = slot_of_rank(allocation, node_of_rank);
  std::string text;
  for (std::size_t rank = 0; rank < node_of_rank.size(); ++rank) {
    for (const auto coordinate : coordinates_of(whole, node_of_rank[rank])) {
      text += fmt::format("{} ", coordinate);
    }
    text += fmt::format("{}\n", slots[rank]);
  }
  return text;
}

std::vector<GridNode> read_bgq(const Allocation& allocation, Lines& lines) {
  const WholeNetwork whole = whole_network_of(allocation.grid);
  RankTable table(allocation, lines);
  const std::size_t per_node = allocation.per_node();
  std::vector<bool> is_taken(allocation.grid.node_count() * per_node);
  while (lines.next()) {
    auto coordinates = numbers(lines, lines.words());
    require_count(lines, coordinates.size(), whole.grid.axes().size() + 1, whole.grid);
    const auto slot = coordinates.back();
    const auto node = table.node_at(whole, coordinates);
    if (slot >= allocation.ranks_on_node[node]) {
      lines.fail(fmt::format("slot {} where the node has {}", slot, allocation.ranks_on_node[node]));
    }
    if (is_taken[node * per_node + slot]) {
      lines.fail(fmt::format("slot {} of node {} is taken already", slot, node));
    }
    is_taken[node * per_node + slot] = true;
    table.place_next(node);
  }
  return std::move(table).take();
}

}  // namespace

const LauncherFormat vcoord_format{.name = "vcoord",
                                   .used_by = "Fujitsu",
                                   .has_nodes = true,
                                   .text = vcoord_text,
                                   .read = read_vcoord,
                                   .usage = [](const Allocation&, const std::string& path) {
                                     return fmt::format("mpiexec --vcoordfile {}", path);
                                   }};

const LauncherFormat bgq_format{.name = "bgq",
                                .used_by = "Blue Gene",
                                .has_nodes = true,
                                .has_comments = false,
                                .text = bgq_text,
                                .read = read_bgq,
                                .usage = [](const Allocation& allocation, const std::string& path) {
                                  return fmt::format(
                                      "runjob --mapping {}; the columns are the axes of {}, axis 0 first",
                                      path, to_string(whole_network_of(allocation.grid).grid));
                                }};

}  // namespace cubefold::planner
