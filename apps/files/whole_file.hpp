#pragma once

#include <cstddef>
#include <string>

namespace cubefold::files {

/// A file that appears under its name only when it is whole. It is made under another name beside it, and what is left of
/// that goes away with the object. Failures are std::runtime_error with the path and the reason.
class WholeFile {
 public:
  /// Finds out at once whether the path can be written. An existing file will be replaced, through a symbolic link where
  /// the path is one, unless it is not a regular file. The id keeps jobs that run at the same time apart.
  WholeFile(const std::string& path, int id);
  WholeFile(WholeFile&& other) noexcept;
  WholeFile& operator=(WholeFile&&) = delete;
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;
  ~WholeFile();

  /// Takes the room that the file will need, so that a full disk is known before the work begins, and writes its first
  /// bytes.
  void begin(const std::string& first_bytes, std::size_t total_bytes);

  /// Gives the file its name.
  void commit();

  /// Where others may write until then.
  static std::string temporary_name(const std::string& path, int id);

 private:
  std::string path_;
  std::string target_;
  std::string temporary_;
};

}  // namespace cubefold::files
