#pragma once

#include <mpi.h>

#include <complex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cubefold/embedding/rank.hpp"
#include "cubefold/fft/block_cyclic.hpp"
#include "files/whole_file.hpp"
#include "npy/header.hpp"

/// One-axis .npy files that the ranks of a communicator read and write together, each its own part of a
/// block-cyclic distribution, through MPI-IO. All calls are collective; all failures are std::runtime_error
/// on every process that names the file and the reason.
namespace cubefold::npy {

/// Process 0 reads it for all.
Header read_header(MPI_Comm comm, const std::string& path);

/// This rank's points, real ones with imaginary part 0.
std::vector<std::complex<double>> read_part(MPI_Comm comm, const std::string& path, const Header& header,
                                            const fft::BlockCyclic& points, Rank rank);

/// A complex128 file that appears under its name only when it is whole.
class OutputFile {
 public:
  /// Reserves the space, so that a full disk or a path that cannot be written is known before the work
  /// begins.
  OutputFile(MPI_Comm comm, const std::string& path, std::size_t count);

  /// Writes every process's points and gives the file its name.
  void write(std::span<const std::complex<double>> part, const fft::BlockCyclic& points, Rank rank);

 private:
  MPI_Comm comm_;
  std::string temporary_;
  std::size_t data_offset_;
  std::optional<files::WholeFile> file_;  ///< on rank 0
};

}  // namespace cubefold::npy
