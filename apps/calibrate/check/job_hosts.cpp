#include "calibrate/check/job_hosts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "cubefold/mpi/error.hpp"
#include "mpi/agreement.hpp"
#include "mpi/processes.hpp"
#include "program/program.hpp"

namespace cubefold::map_check {

using mpi::check;

namespace {

constexpr std::size_t fewest_hosts = 3;
constexpr int no_position = -1;

/// Returns the communicator of the lowest processes of all hosts, in their order.
mpi::OwnedComm comm_of_first(MPI_Comm comm, bool is_member) {
  MPI_Comm members = MPI_COMM_NULL;
  check(MPI_Comm_split(comm, is_member ? 0 : MPI_UNDEFINED, mpi::rank_in(comm), &members), "MPI_Comm_split");
  return is_member ? mpi::OwnedComm::adopt(members) : mpi::OwnedComm();
}

/// Returns the position of this process's host in the map.
int own_position(const HostMap& map, const std::string& file) {
  const std::string name = mpi::host_name();
  const Host* host = map.find(name);
  if (host == nullptr)
    throw std::invalid_argument(fmt::format("host '{}' of the job is not in the hosts file {}", name, file));
  return static_cast<int>(host - map.hosts().data());
}

std::vector<int> gather(MPI_Comm comm, int own) {
  std::vector<int> all;
  mpi::agree_on_outcome(comm, [&] { all.resize(mpi::process_count(comm)); });
  check(MPI_Allgather(&own, 1, MPI_INT, all.data(), 1, MPI_INT, comm), "MPI_Allgather");
  return all;
}

void require_different_hosts(const JobHosts& job, const std::string& file) {
  const auto twice = std::ranges::adjacent_find(job.positions);
  if (twice != job.positions.end()) {
    throw std::invalid_argument(fmt::format("two hosts of the job are host '{}' in the hosts file {}",
                                            job.map.hosts()[*twice].name, file));
  }
  if (job.positions.size() >= fewest_hosts) return;
  throw std::invalid_argument(fmt::format("the job has {}; a check of a map needs at least {}",
                                          program::counted(job.positions.size(), "host"), fewest_hosts));
}

}  // namespace

NodeOfHost JobHosts::nodes() const {
  NodeOfHost nodes;
  for (const std::size_t position : positions) nodes.push_back(map.hosts()[position].node);
  return nodes;
}

JobHosts hosts_of_job(MPI_Comm comm, const std::string& file) {
  const std::string text = mpi::text_of_root(comm, [&] { return to_json(read_host_map(file)); });
  const bool is_first = mpi::rank_in(mpi::comm_on_host(comm).get()) == 0;
  std::optional<JobHosts> job;
  int own = no_position;
  mpi::agree_on_outcome(comm, [&] {
    job.emplace(JobHosts{parse_host_map(text), {}, {}, {}});
    const int position = own_position(job->map, file);
    if (is_first) own = position;
  });
  const std::vector<int> positions = gather(comm, own);
  mpi::agree_on_outcome(comm, [&] {
    std::vector<std::pair<std::size_t, int>> hosts;
    for (const int position : positions) {
      if (position == no_position) continue;
      hosts.emplace_back(static_cast<std::size_t>(position), static_cast<int>(hosts.size()));
    }
    std::ranges::sort(hosts);
    for (const auto& [position, rank] : hosts) {
      job->positions.push_back(position);
      job->ranks.push_back(rank);
    }
    require_different_hosts(*job, file);
  });
  job->comm = comm_of_first(comm, is_first);
  return *std::move(job);
}

}  // namespace cubefold::map_check
