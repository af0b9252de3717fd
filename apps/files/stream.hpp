#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace cubefold::files {

/// An output that is written directly, from its beginning to its end, and never replaced.
class Stream {
 public:
  Stream(std::string path, int file) : path_(std::move(path)), file_(file) {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream();

  /// Writes all bytes. Throws std::runtime_error with the path and the reason.
  void write(std::string_view bytes);

 private:
  std::string path_;
  int file_;  ///< a descriptor that this object owns
};

/// Opens the stream that the path names. Returns nothing if the path does not exist or is a regular file, which
/// WholeFile can then replace. Streams are `-` for standard output, existing paths that are not regular files, such as
/// /dev/full or a named pipe, and files that this process already has open for writing, such as /dev/stdout or the log
/// after `>> log`. Throws std::runtime_error with the path and the reason if the stream cannot be opened, or if the
/// path is a regular file to which the parent process writes its output.
std::unique_ptr<Stream> stream_of(const std::string& path);

}  // namespace cubefold::files
