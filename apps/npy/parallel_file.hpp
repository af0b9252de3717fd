#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "files/reserved_space.hpp"
#include "files/stream.hpp"
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

/// A file that appears under its name only when it is whole, or a stream, which process 0 writes.
class OutputFile {
 public:
  /// Reserves the space, so that a full disk or a path that cannot be written is known before the work begins.
  OutputFile(MPI_Comm comm, const std::string& path, Element element, const Shape& shape);

  /// Writes every process's points. A process that a signal ends from here on, while others live, removes what there is
  /// of the file.
  void write(const NaturalOrder& order, const void* part);

  /// Gives the file its name.
  void commit();

 private:
  void write_to_file(int number, const NaturalOrder& order, const void* part);
  void write_to_stream(const NaturalOrder& order, const void* part);

  MPI_Comm comm_;
  std::string path_;
  std::string header_;
  Element element_;
  std::size_t point_count_ = 0;
  std::optional<files::ReservedSpace> space_;  ///< on rank 0, or
  std::unique_ptr<files::Stream> stream_;      ///< on rank 0
  std::optional<files::WholeFile> whole_;      ///< on rank 0, when it is written and no stream
};

}  // namespace cubefold::npy
