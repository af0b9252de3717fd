#include <fmt/format.h>

#include "planner/launchers/formats.hpp"
#include "planner/launchers/rank_table.hpp"

namespace cubefold::planner {

namespace {

const std::string& host_at(const Machine& machine, GridNode node) {
  return machine.hosts[static_cast<std::size_t>(node)];
}

/// The cores of the k-th rank of a node. `S*` is all cores of all packages: the format has no word for a rank that is
/// not bound, and a list is required.
std::string slot_list(const Machine& machine, std::size_t k) {
  if (!machine.cores_per_node) return "S*";
  const std::size_t share = *machine.cores_per_node / machine.per_node;
  if (share == 1) return fmt::format("{}", k);
  return fmt::format("{}-{}", k * share, (k + 1) * share - 1);
}

/// `+n3` is the fourth host of the allocation.
std::uint64_t node_named(const RankTable& table, const Lines& lines, std::string_view host) {
  if (host.starts_with("+n")) return lines.whole_number(host.substr(2), "the relative host");
  return table.node_of(host);
}

}  // namespace

std::string rankfile_text(const Machine& machine, std::span<const GridNode> node_of_rank) {
  const auto slots = slot_of_rank(machine, node_of_rank);
  std::string text;
  for (std::size_t rank = 0; rank < node_of_rank.size(); ++rank) {
    text += fmt::format("rank {}={} slot={}\n", rank, host_at(machine, node_of_rank[rank]),
                        slot_list(machine, slots[rank]));
  }
  return text;
}

std::vector<GridNode> read_rankfile(const Machine& machine, Lines& lines) {
  RankTable table(machine, lines);
  while (lines.next()) {
    const auto words = lines.words();
    const auto equals = words.size() < 2 ? std::string_view::npos : words[1].find('=');
    if (words.size() != 3 || words[0] != "rank" || equals == std::string_view::npos ||
        !words[2].starts_with("slot=")) {
      lines.fail(fmt::format("'{}' is not rank N=HOST slot=LIST", lines.line()));
    }
    const auto rank = lines.whole_number(words[1].substr(0, equals), "the rank");
    table.place(rank, node_named(table, lines, words[1].substr(equals + 1)));
  }
  return std::move(table).take();
}

std::string host_lines_text(const Machine& machine, std::span<const GridNode> node_of_rank) {
  std::string text;
  for (const GridNode node : node_of_rank) text += host_at(machine, node) + '\n';
  return text;
}

std::vector<GridNode> read_host_lines(const Machine& machine, Lines& lines) {
  RankTable table(machine, lines);
  while (lines.next()) {
    if (lines.words().size() != 1) lines.fail(fmt::format("'{}' is not one host", lines.line()));
    table.place_next(table.node_of(lines.line()));
  }
  return std::move(table).take();
}

}  // namespace cubefold::planner
