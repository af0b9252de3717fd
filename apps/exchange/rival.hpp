#pragma once

#include <array>
#include <string>
#include <vector>

/// One of MPI's own all-to-alls, as a baseline of a comparison.
struct Rival {
  const char* option;     ///< name in --compare
  const char* algorithm;  ///< name in tables and JSON
  bool blocking;          ///< true for MPI_Alltoall, false for MPI_Ialltoall
  int forced;             ///< number of coll_tuned_alltoall_algorithm in Open MPI; 0 if it is not forced
};

inline constexpr std::array<Rival, 6> all_rivals{{
    {"default", "MPI_Alltoall", true, 0},
    {"linear", "MPI linear", true, 1},
    {"pairwise", "MPI pairwise", true, 2},
    {"bruck", "MPI bruck", true, 3},
    {"linear-sync", "MPI linear-sync", true, 4},
    {"ialltoall", "MPI_Ialltoall", false, 0},
}};

/// Returns the baselines of these option names in the order of all_rivals, each once. `all` means all of them, and
/// `none` means no baseline. Throws std::invalid_argument for an unknown name.
std::vector<Rival> rivals_named(const std::vector<std::string>& names);
