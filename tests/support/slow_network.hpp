#pragma once

namespace cubefold::mpi {

/// Describes what slow_network.cpp simulates, which replaces functions of MPI in the test programs that link it. Every
/// process counts as a separate host. The clock of MPI_Wtime advances by a microsecond for every call of it, by
/// alltoall_seconds for every call of MPI_Alltoall and MPI_Alltoallv, and by message_seconds for every message, so that
/// a test says which exchange is the fastest.
struct SlowNetwork {
  static inline double alltoall_seconds = 0;
  static inline double message_seconds = 0;
  static inline double now_seconds = 0;
};

}  // namespace cubefold::mpi
