#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

/// A file that the processes of a communicator have in common: by MPI-IO in shared_file_mpi.cpp, and by system calls in
/// shared_file_posix.cpp, for SimGrid's MPI reads no real files.
namespace cubefold::npy {

enum class Access : std::uint8_t { read, write };

class SharedFile {
 public:
  /// Collective; the file must exist. Throws std::runtime_error on all processes that names the file and the reason.
  SharedFile(MPI_Comm comm, const std::string& path, Access access);
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;
  ~SharedFile();

  /// Local, of any size. Throws std::runtime_error on this process, likewise.
  void read(std::size_t offset, std::byte* bytes, std::size_t count);
  void write(std::size_t offset, const std::byte* bytes, std::size_t count);

  /// Collective, and so are failures: those that a write has put off come out here.
  void flush_and_close();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace cubefold::npy
