#pragma once

#include <array>
#include <string>
#include <vector>

/// One of MPI's own all-to-alls, which the exchange is compared with.
struct Rival {
  const char* option;     ///< in --compare
  const char* algorithm;  ///< in tables and JSON
  bool blocking;          ///< MPI_Alltoall rather than MPI_Ialltoall
  int forced;             ///< Open MPI's number, coll_tuned_alltoall_algorithm; 0: not forced
};

inline constexpr std::array<Rival, 6> all_rivals{{
    {"default", "MPI_Alltoall", true, 0},
    {"linear", "MPI linear", true, 1},
    {"pairwise", "MPI pairwise", true, 2},
    {"bruck", "MPI bruck", true, 3},
    {"linear-sync", "MPI linear-sync", true, 4},
    {"ialltoall", "MPI_Ialltoall", false, 0},
}};

/// The rivals of these option names in the order of all_rivals, each once; `all` stands for all of them and `none`
/// for nothing. Throws
/// std::invalid_argument for an unknown name.
std::vector<Rival> rivals_named(const std::vector<std::string>& names);
