#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/mpi/error.hpp"
#include "cubefold/mpi/owned_comm.hpp"

namespace cubefold::mpi {

/// These return the rank of this process and the number of processes in a communicator. They do not communicate.
CUBEFOLD_API int rank_in(MPI_Comm comm);
CUBEFOLD_API std::size_t process_count(MPI_Comm comm);

/// Returns the communicator of all processes of the job: MPI_COMM_WORLD, or the last one that set_job_comm() was given.
/// Messages name processes by their ranks in it. Does not communicate.
CUBEFOLD_API MPI_Comm job_comm();

/// Sets it in a program that has sessions of MPI 4 and no MPI_COMM_WORLD. It is MPI_COMM_NULL while nothing is known of
/// the processes. The caller keeps the communicator, which has to return error codes.
CUBEFOLD_API void set_job_comm(MPI_Comm comm);

/// Returns the ranks of these processes of a communicator in job_comm(), or MPI_UNDEFINED where they have none.
/// Does not communicate. Costs O(p).
CUBEFOLD_API std::vector<int> ranks_in_job(MPI_Comm comm, std::span<const int> ranks);

/// Returns a communicator of this process alone that returns error codes, for calls that check arguments. The first
/// call makes it. Requires a job_comm(). Does not communicate with other processes.
CUBEFOLD_API MPI_Comm checking_comm();

/// Frees that communicator. The next call of checking_comm() makes another one. No other thread may use it.
CUBEFOLD_API void free_checking_comm();

/// Returns the name of this process's host by MPI_Get_processor_name. Does not communicate.
CUBEFOLD_API std::string host_name();

/// Collective: returns OwnedComm::duplicate() of the caller's communicator. It is made without the caller's error
/// handler, which may abort.
CUBEFOLD_API OwnedComm own_duplicate(MPI_Comm comm);

/// Collective: makes communicators as MPI_Comm_split does, or none for MPI_UNDEFINED, without the caller's error
/// handler. If MPI makes none on one process, all throw as agree() does, and the caller's communicator can be used
/// further. Throws Error on a process where MPI makes none, if the others do not come within 5 seconds: they may be
/// waiting for it in MPI. Costs a barrier more.
CUBEFOLD_API OwnedComm agreed_split(MPI_Comm comm, int color, int key);

/// Collective: agreed_split() into one communicator.
inline OwnedComm agreed_duplicate(MPI_Comm comm) {
  return agreed_split(comm, 0, 0);
}

/// Collective: returns a communicator of the processes on this host, in their order. Processes that can share memory
/// are on one host.
CUBEFOLD_API OwnedComm comm_on_host(MPI_Comm comm);

/// Collective: returns the number of hosts on which the processes run. Makes a communicator and frees it.
CUBEFOLD_API std::size_t host_count(MPI_Comm comm);

/// The hosts of the processes are numbered in the order of their lowest processes.
struct OwnHost {
  std::uint32_t number;
  std::size_t count;          ///< of all hosts
  std::size_t process_count;  ///< of the processes on this host
};

/// Collective: returns the number of this process's host, and counts hosts and processes. Makes a communicator and
/// frees it.
CUBEFOLD_API OwnHost own_host(MPI_Comm comm);

}  // namespace cubefold::mpi
