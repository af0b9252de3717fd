#pragma once

#include "cubefold/export.h"
#include "next_mpi.hpp"

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
