#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "planner/launchers/formats.hpp"
#include "planner/launchers/rank_table.hpp"

namespace cubefold::planner {

std::string rank_order_text(const Machine& machine, std::span<const GridNode> node_of_rank) {
  std::vector<std::vector<std::size_t>> ranks(machine.grid.node_count());
  for (std::size_t rank = 0; rank < node_of_rank.size(); ++rank) {
    ranks[static_cast<std::size_t>(node_of_rank[rank])].push_back(rank);
  }
  std::string text;
  for (const auto& on_node : ranks) text += fmt::format("{}\n", fmt::join(on_node, ","));
  return text;
}

std::vector<GridNode> read_rank_order(const Machine& machine, Lines& lines) {
  RankTable table(machine, lines);
  std::size_t count = 0;
  while (lines.next()) {
    std::string line(lines.line());
    std::replace(line.begin(), line.end(), ',', ' ');
    for (const auto word : words_of(line)) {
      table.place(lines.whole_number(word, "the rank"), count++ / machine.per_node);
    }
  }
  return std::move(table).take();
}

}  // namespace cubefold::planner
