#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cubefold/export.h"
#include "cubefold/simulation/machine.hpp"
#include "hosts/job.hpp"

namespace cubefold {

/// What decides about the placement and the exchanges of a job, each as a text for people. `cubefold info` and
/// CUBEFOLD_VERBOSE show it.
struct JobSummary {
  std::string network;  ///< as far as the job uses it, or `unknown`
  std::string source;   ///< where that is known from, or why nothing is known
  std::string hosts;
  std::string ranks;
  std::string placement;
  std::string machine;
  std::string tuning;
  std::string mpi{};  ///< empty where no MPI runs
};

/// Returns a line for each member that is not empty, with its name in front and the prefix before that.
CUBEFOLD_API std::string to_string(const JobSummary& summary, std::string_view prefix = {});

/// Returns a text such as `m.json, for torus:4x4 on 16 hosts with Open MPI v4.1.4`.
CUBEFOLD_API std::string summary_of(const Machine& machine);

/// Returns the number and the first names of a job's hosts with the variables that say so, and how many ranks they
/// have, as far as it is known: `16, 4 a host` or `10, 3(x2),2(x2) on the hosts`.
CUBEFOLD_API std::string hosts_text(const std::optional<Job>& job);
CUBEFOLD_API std::string ranks_text(const std::optional<Job>& job);

}  // namespace cubefold
