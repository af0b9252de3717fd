#pragma once

#include <mpi.h>

#include <string>

namespace cubefold::program {

/// A file that appears under its name only when it is whole. Process 0 makes it, under another name beside
/// it; what is left of that goes away with the object. All calls are collective and throw std::runtime_error
/// on all processes alike, with the path and the reason.
class WholeFile {
 public:
  /// Finds out at once whether the path can be written. An existing file will be replaced, unless it is not a
  /// regular file.
  WholeFile(MPI_Comm comm, std::string path);
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;
  ~WholeFile();

  /// Takes the room that the file will need, so that a full disk is known before the work begins, and writes
  /// its first bytes.
  void begin(const std::string& first_bytes, std::size_t total_bytes);

  /// Where to write until commit(); the same on every process.
  const std::string& temporary_path() const { return temporary_; }

  /// Gives the file its name.
  void commit();

 private:
  MPI_Comm comm_;
  std::string path_;
  std::string temporary_;
  bool is_mine_;  ///< on process 0 while the temporary file exists
};

}  // namespace cubefold::program
