#include "program_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "mpi/agreement.hpp"
#include "mpi/environment.hpp"
#include "mpi/job_nodes.hpp"
#include "mpi/processes.hpp"
#include "mpi/verbose.hpp"

namespace cubefold::preload {

namespace {

using mpi::check;
using mpi::JobNodes;

/// Returns whether the ranks of the communicator are those of MPI_COMM_WORLD. All processes get the same answer.
bool is_like_world(MPI_Comm comm) {
  int relation = MPI_UNEQUAL;
  check(MPI_Comm_compare(comm, MPI_COMM_WORLD, &relation), "MPI_Comm_compare");
  return relation == MPI_IDENT || relation == MPI_CONGRUENT;
}

/// Collective: returns the nodes of a part of MPI_COMM_WORLD, whose processes are on the nodes of their numbers.
JobNodes nodes_in_world(MPI_Comm comm, const std::string& grid_text) {
  std::optional<Grid> grid;
  mpi::agree_on_outcome(comm, [&] {
    grid = parse_grid(grid_text);
    const std::size_t processes = mpi::process_count(MPI_COMM_WORLD);
    if (grid->node_count() == processes) return;
    throw std::invalid_argument(
        fmt::format("CUBEFOLD_GRID '{}' does not say which of its nodes have the {} processes "
                    "of a part of MPI_COMM_WORLD",
                    grid_text, mpi::process_count(comm)));
  });
  return mpi::nodes_given(comm, *grid, static_cast<GridNode>(mpi::rank_in(MPI_COMM_WORLD)));
}

JobNodes nodes_of(MPI_Comm comm) {
  const std::string grid = mpi::variable_of_root("CUBEFOLD_GRID", comm);
  if (grid.empty() || grid == "auto" || is_like_world(comm)) return mpi::nodes_of_job(comm, std::nullopt);
  return nodes_in_world(comm, grid);
}

/// Returns the placement that numbers nodes in the order of their lowest processes. Throws std::invalid_argument if a
/// node has processes that are not consecutive.
std::string placement_in_order_of(std::span<const GridNode> node_of_process) {
  std::vector<GridNode> order;
  std::set<GridNode> seen;
  for (const GridNode node : node_of_process) {
    if (!order.empty() && order.back() == node) continue;
    if (!seen.insert(node).second) throw std::invalid_argument("the ranks on a node are not consecutive");
    order.push_back(node);
  }
  if (std::ranges::is_sorted(order)) return "identity";
  std::string text = "nodes=";
  for (const GridNode node : order) text += fmt::format("{}-", static_cast<std::uint32_t>(node));
  text.pop_back();
  return text;
}

}  // namespace

mpi::VirtualComm in_program_order(MPI_Comm comm) {
  const mpi::OwnedComm base = mpi::own_duplicate(comm);
  const JobNodes job = nodes_of(base.get());
  mpi::print_job_once(job, mpi::process_count(base.get()), "the order of the program's ranks");
  const auto process = static_cast<std::size_t>(mpi::rank_in(base.get()));
  std::string placement;
  mpi::agree_on_outcome(base.get(), [&] {
    if (!job.is_known) throw std::invalid_argument(job.source);
    placement = placement_in_order_of(job.node_of_process);
  });
  const GridNode own =
      job.node_of_process.empty() ? static_cast<GridNode>(process) : job.node_of_process[process];
  return mpi::VirtualComm::on_nodes(base.get(), job.network, own, placement);
}

}  // namespace cubefold::preload
