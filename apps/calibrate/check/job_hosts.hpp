#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

#include "calibrate/check/host_streams.hpp"
#include "cubefold/hosts/host_map.hpp"
#include "cubefold/mpi/owned_comm.hpp"

namespace cubefold::map_check {

/// Holds the hosts of a job and what a map says of them. The hosts are numbered in the order of the map.
struct JobHosts {
  HostMap map;
  std::vector<std::size_t> positions;  ///< position in map.hosts() of each host of the job
  std::vector<int> ranks;              ///< rank in `comm` of each host
  mpi::OwnedComm comm;                 ///< the lowest process of each host; empty on other processes

  const Host& host(std::size_t number) const { return map.hosts()[positions[number]]; }
  NodeOfHost nodes() const;
};

/// Finds the hosts of a job in the file of a map, which process 0 reads. Throws std::invalid_argument on all processes
/// for a file that read_host_map() refuses, for a host that the file does not have, for two hosts that it does not
/// distinguish, and for less than three hosts. All processes must call this.
JobHosts hosts_of_job(MPI_Comm comm, const std::string& file);

}  // namespace cubefold::map_check
