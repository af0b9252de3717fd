#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/fft/block_cyclic.hpp"

/// A file of numbers that the ranks of a communicator have in common, each with its own blocks: by MPI-IO in
/// shared_file_mpi.cpp, and by system calls in shared_file_posix.cpp, for SimGrid's MPI reads no real files.
namespace cubefold::npy {

/// One rank's blocks in a file. In memory they are one contiguous run.
struct FilePart {
  std::size_t data_offset;  ///< bytes before the first number of all
  MPI_Datatype number;
  std::size_t number_bytes;
  fft::BlockCyclic points;
  Rank rank;
};

/// Collective, and so are failures: std::runtime_error on every process that names the file and the reason.
void read_blocks(MPI_Comm comm, const std::string& path, const FilePart& part, void* numbers);

/// The file must exist.
void write_blocks(MPI_Comm comm, const std::string& path, const FilePart& part, const void* numbers);

}  // namespace cubefold::npy
