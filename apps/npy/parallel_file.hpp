#pragma once

#include <mpi.h>

#include <cstddef>
#include <optional>
#include <string>

#include "files/whole_file.hpp"
#include "npy/header.hpp"
#include "npy/natural_order.hpp"

/// .npy files that the processes of a communicator read and write together, each what a layout gives it: every
/// process reads or writes one range of the file, in rounds of some MiB, and the points go to or come from where they
/// belong by all-to-all. All calls are collective; all failures are std::runtime_error on every process that names
/// the file and the reason.
namespace cubefold::npy {

/// Process 0 reads it for all.
Header read_header(MPI_Comm comm, const std::string& path);

/// This process's points of an array of the header's shape, whose indices the layout counts with the last axis
/// fastest, whatever the file does. Into memory for all places of the process; numbers stay as the file has them.
void read_part(MPI_Comm comm, const fft::Layout& layout, const fft::Layout::Members& members,
               const std::string& path, const Header& header, void* part);

/// A file that appears under its name only when it is whole.
class OutputFile {
 public:
  /// Reserves the space, so that a full disk or a path that cannot be written is known before the work begins.
  OutputFile(MPI_Comm comm, const std::string& path, Element element, const Shape& shape);

  /// Writes every process's points.
  void write(const NaturalOrder& order, const void* part);

  /// Gives the file its name.
  void commit();

 private:
  MPI_Comm comm_;
  std::string temporary_;
  Element element_;
  std::size_t point_count_ = 0;
  std::size_t data_offset_ = 0;
  std::optional<files::WholeFile> file_;  ///< on rank 0
};

}  // namespace cubefold::npy
