#include "network_resources.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cubefold/mpi/error.hpp"
#include "mpi/processes.hpp"
#include "topology/network_resource.hpp"
#include "world.hpp"

namespace cubefold::preload {

namespace {

using mpi::check;

/// Returns the node of a process of the job in the whole network.
GridNode node_of(std::size_t process) {
  const auto& nodes = world().places.job.node_of_process;
  return nodes.empty() ? GridNode{static_cast<std::uint32_t>(process)} : nodes[process];
}

NetworkPlace own_place() {
  const auto own = static_cast<std::size_t>(mpi::rank_in(mpi::job_comm()));
  NetworkPlace place{node_of(own), 0};
  for (std::size_t process = 0; process < own; ++process)
    if (node_of(process) == place.node) ++place.slot;
  return place;
}

/// Returns the color of this process for MPI_Comm_split, or nothing and what is wrong with the name.
std::optional<int> color_of(const std::string& resource, std::string& complaint) try {
  if (resource.empty()) return MPI_UNDEFINED;
  return static_cast<int>(resource_number(world().places.job.network, own_place(), resource));
} catch (const std::invalid_argument& refused) {
  complaint = refused.what();
  return std::nullopt;
}

}  // namespace

bool is_on_network(MPI_Comm comm) {
  if (!world().places.job.is_known || comm == MPI_COMM_NULL) return false;
  int is_inter = 0;
  check(MPI_Comm_test_inter(comm, &is_inter), "MPI_Comm_test_inter");
  if (is_inter != 0) return false;
  std::vector<int> ranks(mpi::process_count(comm));
  std::iota(ranks.begin(), ranks.end(), 0);
  return std::ranges::count(mpi::ranks_in_job(comm, ranks), MPI_UNDEFINED) == 0;
}

void add_resources(MPI_Info info) {
  if (!world().places.job.is_known) return;
  for (const std::string& name : resource_names(world().places.job.network))
    check(MPI_Info_set(info, (resource_scheme + name).c_str(), "true"), "MPI_Info_set");
}

bool split_by_resource(MPI_Comm comm, const std::string& resource, int key, MPI_Comm* made) {
  std::string complaint;
  const auto color = color_of(resource, complaint);
  const int rank = mpi::rank_in(comm);
  const int none = static_cast<int>(mpi::process_count(comm));
  // The lowest process that names a resource, and the lowest one that names a wrong one.
  std::array<int, 2> lowest{resource.empty() ? none : rank, color ? none : rank};
  check(MPI_Allreduce(MPI_IN_PLACE, lowest.data(), 2, MPI_INT, MPI_MIN, comm), "MPI_Allreduce");
  if (lowest[0] == none) return false;
  *made = MPI_COMM_NULL;
  if (lowest[1] == none) {
    check(MPI_Comm_split(comm, *color, key, made), "MPI_Comm_split");
  } else if (lowest[1] == rank) {
    std::fprintf(stderr, "cubefold: MPI_Comm_split_type: %s\n", complaint.c_str());
  }
  return true;
}

}  // namespace cubefold::preload
