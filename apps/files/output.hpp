#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "files/stream.hpp"

namespace cubefold::files {

/// The target of an output option, for one text or array of bytes. It is a stream, which is written directly, or a file
/// that appears whole.
class Output {
 public:
  /// Checks at once whether the path can be written, and leaves no file until write(). Throws as stream_of() and
  /// WholeFile do.
  explicit Output(std::string path);

  /// Writes all bytes. Throws as the constructor does.
  void write(std::string_view bytes);

 private:
  std::string path_;
  std::unique_ptr<Stream> stream_;  ///< null: a file
};

/// Returns the output of an option. Returns nothing for an empty path, which means that the option was not given.
std::optional<Output> open_output(const std::string& path);

}  // namespace cubefold::files
