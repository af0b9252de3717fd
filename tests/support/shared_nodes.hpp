#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "cubefold/mpi/virtual_comm.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {

/// The node of every process of the world on a grid.
struct Job {
  std::string grid;
  std::vector<std::uint32_t> nodes;
  std::string placement = "identity";

  VirtualComm comm() const {
    const auto own = static_cast<GridNode>(nodes[static_cast<std::size_t>(world_rank())]);
    return VirtualComm::on_nodes(MPI_COMM_WORLD, parse_grid(grid), own, placement);
  }

  /// Returns the number of this process's node among the nodes that have processes.
  GridNode own_node() const {
    const std::uint32_t own = nodes[static_cast<std::size_t>(world_rank())];
    const std::set<std::uint32_t> used(nodes.begin(), nodes.end());
    return static_cast<GridNode>(std::distance(used.begin(), used.find(own)));
  }
};

/// Returns a job with so many processes on each node of a ring.
inline Job job_with(std::uint32_t per_node) {
  const auto size = static_cast<std::uint32_t>(world_size());
  Job job{"ring:" + std::to_string(size / per_node), {}};
  for (std::uint32_t p = 0; p < size; ++p) job.nodes.push_back(p / per_node);
  return job;
}

/// Returns jobs in which nodes have several processes: equally and unequally many, in blocks, cyclically and in another
/// order, on whole networks and on some of their nodes.
inline std::vector<Job> jobs_of_world() {
  const auto size = static_cast<std::uint32_t>(world_size());
  const std::string ring = "ring:" + std::to_string(size);
  std::vector<Job> jobs{{"line:1", std::vector<std::uint32_t>(size)}};
  Job unequal{ring, {}};
  for (std::uint32_t p = 0; p < size; ++p) unequal.nodes.push_back((p * p + 1) % (size / 2 + 1));
  jobs.push_back(unequal);
  for (const std::uint32_t per_node : {3U, 4U, 8U})
    if (size % per_node == 0 && size > per_node) jobs.push_back(job_with(per_node));
  if (size % 2 != 0) return jobs;
  const Job blocked = job_with(2);
  Job cyclic{blocked.grid, {}};
  Job with_holes{ring, {}};
  for (std::uint32_t p = 0; p < size; ++p) {
    cyclic.nodes.push_back(size / 2 - 1 - p % (size / 2));
    with_holes.nodes.push_back(p / 2 * 2);
  }
  if (world_is_a_cube()) cyclic.placement = "xor";
  jobs.insert(jobs.end(), {blocked, cyclic, with_holes});
  return jobs;
}

}  // namespace cubefold::mpi
