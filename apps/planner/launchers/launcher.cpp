#include "planner/launchers/launcher.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>
#include <utility>

#include "planner/launchers/formats.hpp"
#include "program/json_text.hpp"
#include "program/values.hpp"

namespace cubefold::planner {

namespace {

constexpr std::size_t longest_safe_rank_order_bytes = 1024;

constexpr std::array<std::pair<std::string_view, Launcher>, 7> launcher_names{
    {{"rankfile", Launcher::rankfile},
     {"seq", Launcher::seq},
     {"mpich-rank-order", Launcher::mpich_rank_order},
     {"slurm-hostfile", Launcher::slurm_hostfile},
     {"vcoord", Launcher::vcoord},
     {"bgq", Launcher::bgq},
     {"scotch", Launcher::scotch}}};

/// Coordinates of ranks are all that Blue Gene and Scotch have in their files.
bool has_comments(Launcher launcher) {
  return launcher != Launcher::bgq && launcher != Launcher::scotch;
}

std::vector<GridNode> read(Launcher launcher, const Machine& machine, Lines& lines) {
  switch (launcher) {
    case Launcher::rankfile:
      return read_rankfile(machine, lines);
    case Launcher::seq:
    case Launcher::slurm_hostfile:
      return read_host_lines(machine, lines);
    case Launcher::mpich_rank_order:
      return read_rank_order(machine, lines);
    case Launcher::vcoord:
      return read_vcoord(machine, lines);
    case Launcher::bgq:
      return read_bgq(machine, lines);
    case Launcher::scotch:
      break;
  }
  return read_scotch(machine, lines);
}

void require_hosts(Launcher launcher, const Machine& machine) {
  if (needs_hosts(launcher) && machine.hosts.empty()) {
    throw std::invalid_argument("this format names hosts; say which with --hosts FILE");
  }
}

std::string rankfile_usage(const Machine& machine, const std::string& path) {
  const bool is_bound = machine.cores_per_node.has_value();
  return fmt::format("mpirun --rankfile {0} (Open MPI 4), --map-by rankfile:FILE={0}{1} (Open MPI 5){2}",
                     path, is_bound ? "" : " --bind-to none",
                     is_bound ? "" : "; ranks are not bound to cores without --cores-per-node");
}

}  // namespace

Launcher launcher_named(std::string_view name) {
  return program::value_named("format", name, launcher_names);
}

bool needs_hosts(Launcher launcher) {
  return launcher == Launcher::rankfile || launcher == Launcher::seq || launcher == Launcher::slurm_hostfile;
}

bool binds_to_cores(Launcher launcher) {
  return launcher == Launcher::rankfile;
}

std::string launcher_text(Launcher launcher, const Machine& machine, std::span<const GridNode> node_of_rank) {
  require_hosts(launcher, machine);
  switch (launcher) {
    case Launcher::rankfile:
      return rankfile_text(machine, node_of_rank);
    case Launcher::seq:
    case Launcher::slurm_hostfile:
      return host_lines_text(machine, node_of_rank);
    case Launcher::mpich_rank_order:
      return rank_order_text(machine, node_of_rank);
    case Launcher::vcoord:
      return vcoord_text(machine, node_of_rank);
    case Launcher::bgq:
      return bgq_text(machine, node_of_rank);
    case Launcher::scotch:
      break;
  }
  return scotch_text(machine, node_of_rank);
}

std::vector<GridNode> read_launcher_file(Launcher launcher, const Machine& machine, const std::string& path) {
  require_hosts(launcher, machine);
  Lines lines(path, program::read_text(path), has_comments(launcher) ? '#' : '\0');
  return read(launcher, machine, lines);
}

std::string usage(Launcher launcher, const Machine& machine, const std::string& path) {
  switch (launcher) {
    case Launcher::rankfile:
      return rankfile_usage(machine, path);
    case Launcher::seq:
      return fmt::format("mpirun --map-by seq:FILE={0} (Open MPI 5), --mca rmaps seq --hostfile {0} (4)",
                         path);
    case Launcher::mpich_rank_order:
      return fmt::format("MPICH_RANK_REORDER_METHOD=3 MPICH_RANK_REORDER_FILE={}", path);
    case Launcher::slurm_hostfile:
      return fmt::format("SLURM_HOSTFILE={} srun -m arbitrary -n {}, without options about the topology",
                         path, machine.rank_count());
    case Launcher::vcoord:
      return fmt::format("mpiexec --vcoordfile {}", path);
    case Launcher::bgq:
      return fmt::format("runjob --mapping {}; the columns are the axes of {}, axis 0 first", path,
                         to_string(machine.grid));
    case Launcher::scotch:
      break;
  }
  return fmt::format("a mapping as gmap writes it; the target is {}",
                     scotch_target(machine.grid).value_or("none that Scotch has a name for"));
}

std::optional<std::string> doubt_about(Launcher launcher, const std::string& text) {
  if (launcher != Launcher::mpich_rank_order || text.size() <= longest_safe_rank_order_bytes) {
    return std::nullopt;
  }
  return fmt::format("the order has {} bytes; cray-mpich 9.1.0 is reported to fail above {}", text.size(),
                     longest_safe_rank_order_bytes);
}

}  // namespace cubefold::planner
