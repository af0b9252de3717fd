#pragma once

#include <mpi.h>

#include <cstdint>

namespace cubefold::mpi {

/// Where the messages of one run go, apart from those of other runs.
struct RunSpace {
  MPI_Comm comm;
  int first_tag;             ///< of tag_count that are the run's
  std::uint64_t number = 0;  ///< of the run, in the order that all processes have

  int data_tag() const { return first_tag; }
  int token_tag() const { return first_tag + 1; }
  int barrier_tag() const { return first_tag + 2; }

  static constexpr int tag_count = 3;
};

}  // namespace cubefold::mpi
