#pragma once

namespace cubefold::mpi {

/// How many communicators this process has made and freed. A program that links counted_communicators.cpp counts the
/// calls of MPI_Comm_dup, MPI_Comm_split, MPI_Comm_split_type and MPI_Comm_free, of the library and its own.
struct CountedCommunicators {
  int made = 0;
  int freed = 0;
};

CountedCommunicators& counted_communicators();

}  // namespace cubefold::mpi
