#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "files/stream.hpp"

namespace cubefold::files {

/// What an output option names, and one text or array of bytes for it: a stream, which is written as it stands, or a
/// file that appears whole.
class Output {
 public:
  /// Finds out at once whether the path can be written to, and leaves no file meanwhile. Throws what stream_of() and
  /// WholeFile do.
  explicit Output(std::string path);

  /// Writes all of it. Throws likewise.
  void write(std::string_view bytes);

 private:
  std::string path_;
  std::unique_ptr<Stream> stream_;  ///< none: a file
};

/// The output of an option, or nothing for an empty path: the option was not given.
std::optional<Output> open_output(const std::string& path);

}  // namespace cubefold::files
