#pragma once

#include "cubefold/export.h"

// The functions of MPI that this library replaces. The macro applies `both` to those that are passed on to the next
// function of their name and whose calls are counted, and `next` or `count` to those for which only one of these holds:
// MPI 3.1 has no persistent collectives, so its header does not declare them.
// clang-format off
#define CUBEFOLD_FUNCTIONS(both, next, count) \
  both(Alltoall)                              \
  both(Alltoallv)                             \
  both(Ialltoall)                             \
  both(Ialltoallv)                            \
  count(Alltoall_init)                        \
  count(Alltoallv_init)                       \
  both(Cart_create)                           \
  both(Cart_map)                              \
  both(Dist_graph_create)                     \
  both(Dist_graph_create_adjacent)            \
  next(Comm_dup)                              \
  next(Comm_dup_with_info)                    \
  next(Comm_split)                            \
  next(Comm_create)                           \
  next(Cart_sub)                              \
  next(Start)                                 \
  next(Startall)                              \
  next(Request_free)                          \
  next(Init)                                  \
  next(Init_thread)                           \
  next(Finalize)
// clang-format on

#define CUBEFOLD_NO_FUNCTION(function)

/// Defines a function of MPI by both of its names, MPI_* and PMPI_*: Fortran's functions call the latter, as tools do,
/// and C programs either. The last argument is the value that it returns, in which `name` tells them apart.
#define CUBEFOLD_REPLACE(function, parameters, ...)                       \
  extern "C" CUBEFOLD_API int MPI_##function parameters {                 \
    [[maybe_unused]] constexpr auto name = cubefold::preload::Name::mpi;  \
    return __VA_ARGS__;                                                   \
  }                                                                       \
  extern "C" CUBEFOLD_API int PMPI_##function parameters {                \
    [[maybe_unused]] constexpr auto name = cubefold::preload::Name::pmpi; \
    return __VA_ARGS__;                                                   \
  }
