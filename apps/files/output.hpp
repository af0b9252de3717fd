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

/// A file that appears under its name only when it is complete. It is written under a temporary name in the same
/// folder. The destructor removes an incomplete file, and so does remove_at_signal() if a signal ends the process. All
/// failures throw std::runtime_error with the path and the reason.
class WholeFile {
 public:
  /// Makes the file under its temporary name. Requires a path for which stream_of() returns nothing. commit() will
  /// replace an existing file. If the path is a symbolic link, commit() replaces the file that the link leads to.
  explicit WholeFile(const std::string& path);
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;
  ~WholeFile();

  /// Writes the bytes at the beginning of the file.
  void write(std::string_view bytes);

  /// Gives the file its name.
  void commit();

  /// Returns the number in the temporary name. Other processes may write to the file of this name until commit().
  int number() const { return number_; }

  /// Returns the temporary name PATH.NUMBER.part, where PATH is the end of a chain of symbolic links.
  static std::string temporary_name(const std::string& path, int number);

 private:
  std::string path_;
  std::string target_;
  int number_;
  std::string temporary_;  ///< empty after the file got its name
};

/// Removes the file when a signal ends this process: Ctrl-C, SIGTERM from a launcher or a scheduler, abort(), or a
/// crash. The removal cannot be cancelled, because removing a name that no longer exists does no harm. SIGKILL cannot
/// be caught. If several processes share a file, each should call this, since a launcher sends SIGTERM before SIGKILL.
void remove_at_signal(const std::string& path);

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
