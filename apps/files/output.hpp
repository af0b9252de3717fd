#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "files/stream.hpp"

namespace cubefold::files {

/// The target of an output option, for one text or array of bytes. It is a stream, which is written directly, or a
/// file, which appears under its name only when it is complete.
class Output {
 public:
  /// Checks whether the path can be written. No file remains before write(). Throws as stream_of() and WholeFile do.
  explicit Output(std::string path);

  /// Writes all bytes. Throws as the constructor does.
  void write(std::string_view bytes);

 private:
  std::string path_;
  std::unique_ptr<Stream> stream_;  ///< null if the output is a file
};

/// Returns the output of an option. Returns nothing for an empty path, which means that the option was not given.
std::optional<Output> open_output(const std::string& path);

/// Removes the file when a signal ends this process: Ctrl-C, SIGTERM from a launcher or a scheduler, abort(), or a
/// crash. The removal cannot be cancelled, because removing a name that no longer exists does no harm. SIGKILL cannot
/// be caught. If several processes share a file, each should call this, since a launcher sends SIGTERM before SIGKILL.
void remove_at_signal(const std::string& path);

/// Calls remove_at_signal() for the temporary name of every later WholeFile, including those of the library.
void remove_incomplete_files_at_signal();

/// Reserves space on the disk for a later file, so that a full disk is noticed before the work begins. The space
/// belongs to a file without a name, which the system removes in any case when the process ends. The destructor
/// releases the space. Destroy the object before the real file is made.
class ReservedSpace {
 public:
  /// Reserves `bytes` on the file system of the path, which must be a path for WholeFile. Throws std::runtime_error
  /// with the path and the reason.
  ReservedSpace(const std::string& path, std::size_t bytes);
  ReservedSpace(const ReservedSpace&) = delete;
  ReservedSpace& operator=(const ReservedSpace&) = delete;
  ~ReservedSpace();

 private:
  int file_;
};

}  // namespace cubefold::files
