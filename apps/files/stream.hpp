#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace cubefold::files {

/// An output that is written from its beginning to its end, as it stands: nothing is put in its place.
class Stream {
 public:
  Stream(std::string path, int file) : path_(std::move(path)), file_(file) {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream();

  /// Throws std::runtime_error with the path and the reason.
  void write(std::string_view bytes);

 private:
  std::string path_;
  int file_;  ///< a descriptor of our own
};

/// The stream that the path names, or nothing if a file is to appear there. Streams are `-` for standard output, what
/// exists and is not a regular file, as /dev/full or a named pipe, and whatever this process has open for writing
/// already, as /dev/stdout or the log behind `>> log`. Throws std::runtime_error with the path and the reason if the
/// stream cannot be opened, and for what the process that started this one writes to.
std::unique_ptr<Stream> stream_of(const std::string& path);

}  // namespace cubefold::files
