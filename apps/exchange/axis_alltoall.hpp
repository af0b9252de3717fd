#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "cubefold/mpi/owned_comm.hpp"

/// Exchanges blocks by MPI_Alltoall on the lines of one axis after the other. Derived datatypes say which blocks go to
/// which process of the line, so that no block is copied by hand. The communicators of the lines and the scratch memory
/// are kept. Source: Traeff, arXiv 2605.29970, from its description.
class AxisAlltoall {
 public:
  /// All processes of a Cartesian communicator must call this. Blocks are in the order of its ranks.
  explicit AxisAlltoall(MPI_Comm cart);

  /// Exchanges blocks of this size. All processes must call this. Throws std::invalid_argument on all processes if all
  /// blocks together have more than 2^31 - 1 bytes.
  void run(const std::byte* send, std::byte* receive, int block_bytes);

 private:
  /// One axis of more than one process, with the numbers of blocks that a type has to step over.
  struct Line {
    cubefold::mpi::OwnedComm comm;
    int extent;
    int before;  ///< product of the extents of the axes before this one
    int behind;  ///< product of the extents of the axes behind this one, which count faster
  };

  std::vector<Line> lines_;
  std::size_t process_count_;
  std::vector<std::byte> scratch_;
};
