#pragma once

#include <mpi.h>

#include "cubefold/export.h"

// The functions of MPI that this library replaces. The macro applies `both` to those that are passed on to the next
// function of their name and whose calls are counted, and `next` or `count` to those for which only one of these holds:
// MPI 3.1 has no persistent collectives, so its header does not declare them.
// clang-format off
#define CUBEFOLD_FUNCTIONS(both, next, count) \
  both(Alltoall)                              \
  both(Alltoallv)                             \
  both(Alltoallw)                             \
  both(Ialltoall)                             \
  both(Ialltoallv)                            \
  both(Ialltoallw)                            \
  both(Allreduce)                             \
  both(Reduce_scatter_block)                  \
  both(Reduce_scatter)                        \
  both(Allgather)                             \
  both(Allgatherv)                            \
  both(Iallreduce)                            \
  both(Ireduce_scatter_block)                 \
  both(Ireduce_scatter)                       \
  both(Iallgather)                            \
  both(Iallgatherv)                           \
  both(Ineighbor_alltoall)                    \
  both(Ineighbor_alltoallv)                   \
  both(Ineighbor_alltoallw)                   \
  both(Ineighbor_allgather)                   \
  both(Ineighbor_allgatherv)                  \
  both(Neighbor_alltoall)                     \
  both(Neighbor_alltoallv)                    \
  both(Neighbor_alltoallw)                    \
  both(Neighbor_allgather)                    \
  both(Neighbor_allgatherv)                   \
  count(Alltoall_init)                        \
  count(Alltoallv_init)                       \
  count(Alltoallw_init)                       \
  count(Neighbor_alltoall_init)               \
  count(Neighbor_alltoallv_init)              \
  count(Neighbor_alltoallw_init)              \
  count(Neighbor_allgather_init)              \
  count(Neighbor_allgatherv_init)             \
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

// Those that MPI 4.0 has, and those of MPI 4.1.
#if MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1)
#define CUBEFOLD_FUNCTIONS_OF_MPI_4_1(next) next(Get_hw_resource_info)
#else
#define CUBEFOLD_FUNCTIONS_OF_MPI_4_1(next)
#endif
#if MPI_VERSION >= 4
#define CUBEFOLD_FUNCTIONS_OF_MPI_4(both, next, count) \
  both(Alltoall_c)                                     \
  both(Alltoallv_c)                                    \
  both(Alltoallw_c)                                    \
  both(Ialltoall_c)                                    \
  both(Ialltoallv_c)                                   \
  both(Ialltoallw_c)                                   \
  count(Alltoall_init_c)                               \
  count(Alltoallv_init_c)                              \
  count(Alltoallw_init_c)                              \
  both(Neighbor_alltoall_c)                            \
  both(Neighbor_alltoallv_c)                           \
  both(Neighbor_alltoallw_c)                           \
  both(Neighbor_allgather_c)                           \
  both(Neighbor_allgatherv_c)                          \
  both(Ineighbor_alltoall_c)                           \
  both(Ineighbor_alltoallv_c)                          \
  both(Ineighbor_alltoallw_c)                          \
  both(Ineighbor_allgather_c)                          \
  both(Ineighbor_allgatherv_c)                         \
  count(Neighbor_alltoall_init_c)                      \
  count(Neighbor_alltoallv_init_c)                     \
  count(Neighbor_alltoallw_init_c)                     \
  count(Neighbor_allgather_init_c)                     \
  count(Neighbor_allgatherv_init_c)                    \
  next(Comm_split_type)                                \
  next(Comm_create_from_group)                         \
  next(Session_init)                                   \
  next(Session_finalize)                               \
  CUBEFOLD_FUNCTIONS_OF_MPI_4_1(next)
#else
#define CUBEFOLD_FUNCTIONS_OF_MPI_4(both, next, count)
#endif
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

/// Defines a function that makes a persistent request by all of its names. Programs of Open MPI 4 call those with an X.
#define CUBEFOLD_REPLACE_PERSISTENT(function, parameters, ...)                                     \
  extern "C" {                                                                                     \
  CUBEFOLD_API int MPI_##function parameters {                                                     \
    return __VA_ARGS__;                                                                            \
  }                                                                                                \
  CUBEFOLD_API decltype(MPI_##function) PMPI_##function __attribute__((alias("MPI_" #function)));  \
  CUBEFOLD_API decltype(MPI_##function) MPIX_##function __attribute__((alias("MPI_" #function)));  \
  CUBEFOLD_API decltype(MPI_##function) PMPIX_##function __attribute__((alias("MPI_" #function))); \
  }
