#pragma once

#include <string>
#include <string_view>

namespace cubefold::files {

/// A file that appears under its name only when it is whole. It is made under another name beside it, and what is left
/// of that goes away with the object and with the process, unless that is killed outright. Failures are
/// std::runtime_error with the path and the reason.
class WholeFile {
 public:
  /// Makes the file under its other name. An existing regular file will be replaced, through a symbolic link where the
  /// path is one; stream_of() tells what else the path may be.
  explicit WholeFile(const std::string& path);
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;
  ~WholeFile();

  /// Writes the file's first bytes.
  void write(std::string_view bytes);

  /// Gives the file its name.
  void commit();

  /// Where others may write until then: PATH.NUMBER.part, with a number that no other file has.
  int number() const { return number_; }
  static std::string temporary_name(const std::string& path, int number);

 private:
  std::string path_;
  std::string target_;
  int number_;
  std::string temporary_;  ///< empty: it has its name
};

}  // namespace cubefold::files
