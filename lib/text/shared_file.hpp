#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "cubefold/export.h"

namespace cubefold {

enum class Access : std::uint8_t { read, write };

/// A file that several processes have open to read or write separate parts. No call communicates, so a process that
/// fails alone closes the file without the others. All calls throw std::runtime_error with the name of the file and the
/// reason.
class CUBEFOLD_API SharedFile {
 public:
  /// Opens an existing file. A file that is written may not be a symbolic link.
  SharedFile(const std::string& path, Access access);
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;
  ~SharedFile();

  /// Reads `count` bytes at `offset`. The count may exceed the limit of a system call.
  void read(std::size_t offset, std::byte* bytes, std::size_t count) const;

  /// Writes `count` bytes at `offset`. The count may exceed the limit of a system call.
  void write(std::size_t offset, const std::byte* bytes, std::size_t count) const;

  /// Flushes all data to the disk and closes the file. Also throws if a write that the system deferred fails now.
  void flush_and_close();

 private:
  std::string path_;
  int file_;
};

}  // namespace cubefold
