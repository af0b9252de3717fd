#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cubefold/export.h"
#include "host_file.hpp"

namespace cubefold {

/// Where a scheduler tells a job about itself.
struct JobSurroundings {
  std::function<std::string(const char*)> variable;        ///< its value, or an empty text if it is unset
  std::function<std::string(const std::string&)> content;  ///< of a file; throws std::system_error
};

/// Returns the environment of this process and the files of this host.
CUBEFOLD_API JobSurroundings own_surroundings();

/// The hosts of a job, and how many ranks each of them runs.
struct Job {
  std::string source;  ///< the variables that say it, as "Slurm: SLURM_TASKS_PER_NODE=4(x4)"
  std::vector<JobHost>
      hosts;  ///< slots are ranks; they are 0 if the scheduler does not say how many there are
};

/// Returns the job that the variables of a scheduler describe, or nothing outside of one. The first of these that has
/// hosts counts:
///
/// | scheduler | hosts                                                | ranks                                        |
/// |-----------|------------------------------------------------------|----------------------------------------------|
/// | Slurm     | SLURM_JOB_NODELIST                                   | SLURM_TASKS_PER_NODE, SLURM_NTASKS,          |
/// |           |                                                      | SLURM_NPROCS, SLURM_NTASKS_PER_NODE          |
/// | PBS       | the file PBS_NODEFILE                                | its repeated lines, PBS_NP                   |
/// | LSF       | LSB_MCPU_HOSTS, the file LSB_DJOB_HOSTFILE, LSB_HOSTS | the same, LSB_DJOB_NUMPROC                   |
/// | Fujitsu   | the file PJM_O_NODEINF                               | PJM_MPI_PROC, PJM_PROC_BY_NODE               |
///
/// Throws std::invalid_argument that names both variables with their values if they contradict each other, and one that
/// names the variable for a value or a file that cannot be read.
CUBEFOLD_API std::optional<Job> job_of(const JobSurroundings& surroundings);

/// Gives `ranks` ranks to hosts: one to each in turn, as long as the host has slots left. Hosts whose slots are 0 take
/// any number. Throws std::invalid_argument with both numbers if there are fewer ranks than hosts, or more than slots.
CUBEFOLD_API void spread(std::size_t ranks, std::vector<JobHost>& hosts);

/// Returns the number of ranks of a job, or 0 if it is not known.
CUBEFOLD_API std::size_t rank_count(const Job& job);

/// Returns the numbers of slots of hosts, in Slurm's form: `3(x2),2`.
CUBEFOLD_API std::string slots_text(const std::vector<JobHost>& hosts);

}  // namespace cubefold
