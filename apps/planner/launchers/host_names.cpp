#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "planner/launchers/launcher.hpp"
#include "planner/launchers/rank_table.hpp"

namespace cubefold::planner {

namespace {

const std::string& host_at(const Allocation& allocation, GridNode node) {
  return allocation.hosts[static_cast<std::size_t>(node)];
}

/// Returns the cores of the k-th rank of a node. Without Allocation::cores_per_node the list is `S*`, all cores of all
/// packages, because the format requires a list and has no notation for an unbound rank.
std::string slot_list(const Allocation& allocation, std::size_t rank_count, std::size_t k) {
  if (!allocation.cores_per_node) return "S*";
  const std::size_t share = *allocation.cores_per_node / rank_count;
  if (share == 1) return fmt::format("{}", k);
  return fmt::format("{}-{}", k * share, (k + 1) * share - 1);
}

/// Returns the node of a host, before whose name a user may stand. `+nK` or `+NK` is host K of the allocation, counted
/// from 0.
std::uint64_t node_named(const RankTable& table, const Lines& lines, std::string_view host) {
  host = host.substr(host.find('@') + 1);
  if (host.starts_with("+n") || host.starts_with("+N"))
    return lines.whole_number(host.substr(2), "the relative host");
  return table.node_of(host);
}

/// Returns the lines `rank N=HOST slot=LIST`, where LIST has the numbers of cores. The ranks of a node have equal
/// shares of its cores, and the remaining cores are not used. Without Allocation::cores_per_node every rank may use all
/// cores.
std::string rankfile_text(const Allocation& allocation, std::span<const GridNode> node_of_rank) {
  const auto slots = slot_of_rank(allocation, node_of_rank);
  std::string text;
  for (std::size_t rank = 0; rank < node_of_rank.size(); ++rank) {
    const std::size_t on_node = allocation.ranks_on_node[static_cast<std::size_t>(node_of_rank[rank])];
    text += fmt::format("rank {}={} slot={}\n", rank, host_at(allocation, node_of_rank[rank]),
                        slot_list(allocation, on_node, slots[rank]));
  }
  return text;
}

std::vector<GridNode> read_rankfile(const Allocation& allocation, Lines& lines) {
  RankTable table(allocation, lines);
  while (lines.next()) {
    const std::string line = without_blanks_at_equals(lines.line());
    const auto words = words_of_line(line);
    const auto equals = words.size() < 2 ? std::string_view::npos : words[1].find('=');
    if (words.size() != 3 || words[0] != "rank" || equals == std::string_view::npos ||
        !(words[2].starts_with("slot=") || words[2].starts_with("slots="))) {
      lines.fail(fmt::format("'{}' is not rank N=HOST slot=LIST", lines.line()));
    }
    const auto rank = lines.whole_number(words[1].substr(0, equals), "the rank");
    table.place(rank, node_named(table, lines, words[1].substr(equals + 1)));
  }
  return std::move(table).take();
}

std::string rankfile_usage(const Allocation& allocation, const std::string& path) {
  const bool is_bound = allocation.cores_per_node.has_value();
  return fmt::format("mpirun --rankfile {0} (Open MPI 4), --map-by rankfile:FILE={0}{1} (Open MPI 5){2}",
                     path, is_bound ? "" : " --bind-to none",
                     is_bound ? "" : "; ranks are not bound to cores without --cores-per-node");
}

/// Open MPI 5 and later take what follows a hyphen in --map-by for another option.
std::optional<std::string> doubt_about_path(const std::string&, const std::string& path) {
  if (path.find('-') == std::string::npos) return std::nullopt;
  return fmt::format("Open MPI 5 cuts the path {} at '-'; choose one without '-' for --emit-to", path);
}

/// Returns a text whose line k is the host of rank k.
std::string host_lines_text(const Allocation& allocation, std::span<const GridNode> node_of_rank) {
  std::string text;
  for (const GridNode node : node_of_rank) text += host_at(allocation, node) + '\n';
  return text;
}

std::vector<JobHost> hosts_on(const Lines& lines) {
  try {
    return hosts_of_line(lines.line());
  } catch (const std::invalid_argument& error) {
    lines.fail(error.what());
  }
}

/// Reads a file whose hosts stand for one rank each. Open MPI starts one process for a line, whatever its slots.
std::vector<GridNode> read_seq(const Allocation& allocation, Lines& lines) {
  RankTable table(allocation, lines);
  while (lines.next())
    for (const JobHost& host : hosts_on(lines)) table.place_next(table.node_of(host.name));
  return std::move(table).take();
}

/// Reads a list of hosts, in which `n0*2` stands for two ranks.
std::vector<GridNode> read_slurm_hostfile(const Allocation& allocation, Lines& lines) {
  RankTable table(allocation, lines);
  while (lines.next()) {
    for (const JobHost& host : hosts_on(lines)) {
      const std::uint64_t node = table.node_of(host.name);
      for (std::size_t k = 0; k < std::max<std::size_t>(host.slots, 1); ++k) table.place_next(node);
    }
  }
  return std::move(table).take();
}

}  // namespace

const LauncherFormat rankfile_format{.name = "rankfile",
                                     .used_by = "Open MPI",
                                     .needs_hosts = true,
                                     .binds_to_cores = true,
                                     .text = rankfile_text,
                                     .read = read_rankfile,
                                     .usage = rankfile_usage,
                                     .doubt = doubt_about_path};

const LauncherFormat seq_format{
    .name = "seq",
    .used_by = "Open MPI",
    .needs_hosts = true,
    .text = host_lines_text,
    .read = read_seq,
    .usage =
        [](const Allocation&, const std::string& path) {
          return fmt::format("mpirun --map-by seq:FILE={0} (Open MPI 5), --mca rmaps seq --hostfile {0} (4)",
                             path);
        },
    .doubt = doubt_about_path};

const LauncherFormat slurm_hostfile_format{
    .name = "slurm-hostfile",
    .used_by = "Slurm",
    .needs_hosts = true,
    .text = host_lines_text,
    .read = read_slurm_hostfile,
    .usage = [](const Allocation& allocation, const std::string& path) {
      return fmt::format("SLURM_HOSTFILE={} srun -m arbitrary -n {}, without options about the topology",
                         path, allocation.rank_count());
    }};

}  // namespace cubefold::planner
