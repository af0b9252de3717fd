#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "planner/launchers/launcher.hpp"
#include "planner/launchers/rank_table.hpp"

namespace cubefold::planner {

namespace {

constexpr std::size_t longest_safe_bytes = 1024;

/// Returns the ranks in the order in which the launcher fills the nodes, with one line for each node. Readers treat
/// commas and ends of lines alike. Ranges a-b are neither written nor read, because no known document or source has
/// them.
std::string rank_order_text(const Allocation& allocation, std::span<const GridNode> node_of_rank) {
  std::vector<std::vector<std::size_t>> ranks(allocation.grid.node_count());
  for (std::size_t rank = 0; rank < node_of_rank.size(); ++rank) {
    ranks[static_cast<std::size_t>(node_of_rank[rank])].push_back(rank);
  }
  std::string text;
  for (const auto& on_node : ranks) text += fmt::format("{}\n", fmt::join(on_node, ","));
  return text;
}

/// Returns the node of every slot, in the order in which the launcher fills them.
std::vector<std::uint64_t> node_of_slot(const Allocation& allocation) {
  std::vector<std::uint64_t> nodes;
  for (std::size_t node = 0; node < allocation.ranks_on_node.size(); ++node)
    nodes.insert(nodes.end(), allocation.ranks_on_node[node], node);
  return nodes;
}

/// A comma may end a line. Anywhere else, nothing before a comma is an empty slot, which every rank order of another
/// tool with idle slots has.
std::vector<GridNode> read_rank_order(const Allocation& allocation, Lines& lines) {
  RankTable table(allocation, lines);
  const auto nodes = node_of_slot(allocation);
  std::size_t slot = 0;
  while (lines.next()) {
    const auto entries = split(lines.line(), ',');
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const auto words = words_of_line(entries[i]);
      if (words.empty() && i + 1 < entries.size())
        lines.fail(fmt::format("slot {} is empty; a rank order has a rank for every slot", slot));
      for (const auto word : words) {
        const auto rank = lines.whole_number(word, "the rank");
        table.place(rank, slot < nodes.size() ? nodes[slot] : allocation.grid.node_count());
        ++slot;
      }
    }
  }
  return std::move(table).take();
}

}  // namespace

const LauncherFormat mpich_rank_order_format{
    .name = "mpich-rank-order",
    .used_by = "Cray MPICH",
    .text = rank_order_text,
    .read = read_rank_order,
    .usage =
        [](const Allocation&, const std::string& path) {
          return fmt::format("MPICH_RANK_REORDER_METHOD=3 MPICH_RANK_REORDER_FILE={}", path);
        },
    .doubt = [](const std::string& text, const std::string&) -> std::optional<std::string> {
      if (text.size() <= longest_safe_bytes) return std::nullopt;
      return fmt::format("the order has {} bytes; cray-mpich 9.1.0 is reported to fail above {}", text.size(),
                         longest_safe_bytes);
    }};

}  // namespace cubefold::planner
