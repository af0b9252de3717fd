#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "files/output.hpp"
#include "files/stream.hpp"
#include "npy/header.hpp"
#include "npy/natural_order.hpp"
#include "text/whole_file.hpp"

/// .npy files that the processes of a communicator read and write together. Every process reads or writes one range of
/// the file, in rounds of some MiB, and an all-to-all moves the points between these ranges and the layout. All
/// processes must call each function. All failures throw std::runtime_error on every process, with the name of the file
/// and the reason.
namespace cubefold::npy {

/// Reads the header on process 0, and returns it on all processes.
Header read_header(MPI_Comm comm, const std::string& path);

/// Reads the points of this process from an array of the shape of the header. The layout counts indices with the last
/// axis fastest, also for files with the first axis fastest. `part` must have memory for OwnPoints::place_count()
/// elements. The elements keep the type that they have in the file.
void read_part(MPI_Comm comm, const fft::Layout& layout, const fft::Layout::Members& members,
               const std::string& path, const Header& header, void* part);

/// A .npy file that appears under its name only when it is complete, or a stream that process 0 writes.
class OutputFile {
 public:
  /// Reserves the space on the disk, so that a full disk or an invalid path is noticed before the work begins.
  OutputFile(MPI_Comm comm, const std::string& path, Element element, const Shape& shape);

  /// Writes the points of every process. If a signal ends a process while others still run, that process removes the
  /// incomplete file.
  void write(const NaturalOrder& order, const void* part);

  /// Gives the file its name. Does nothing for a stream.
  void commit();

 private:
  void write_to_file(int number, const NaturalOrder& order, const void* part);
  void write_to_stream(const NaturalOrder& order, const void* part);

  MPI_Comm comm_;
  std::string path_;
  std::string header_;
  Element element_;
  std::size_t point_count_ = 0;
  std::optional<files::ReservedSpace> space_;  ///< on rank 0, unless the output is a stream
  std::unique_ptr<files::Stream> stream_;      ///< on rank 0, if the output is a stream
  std::optional<WholeFile> whole_;             ///< on rank 0, while a file is written
};

}  // namespace cubefold::npy
