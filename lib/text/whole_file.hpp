#pragma once

#include <string>
#include <string_view>

#include "cubefold/export.h"

namespace cubefold {

/// A file that appears under its name only when it is complete. It is written under a temporary name in the same
/// folder, which no other process uses and which is no symbolic link. The file has the permissions that the umask
/// leaves. The destructor removes an incomplete file. All failures throw std::system_error with the path and the
/// reason.
class CUBEFOLD_API WholeFile {
 public:
  /// Makes the file under its temporary name. commit() will replace an existing file, which must be a regular one. If
  /// the path is a symbolic link, commit() replaces the file that the link leads to.
  explicit WholeFile(const std::string& path) : WholeFile(path, random_number()) {}

  /// Does the same, and takes the first number from `number` on whose name is free.
  WholeFile(const std::string& path, int number);

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
  static int random_number();
  std::string free_name();

  std::string path_;
  std::string target_;
  int number_;
  std::string temporary_;  ///< empty after the file got its name
};

/// Makes every later WholeFile of this process pass its temporary name to `see`, before a file has this name. The
/// library installs no signal handlers; programs do, and remove incomplete files when a signal ends them.
CUBEFOLD_API void report_temporary_names(void (*see)(const std::string& name));

/// Writes all bytes to a descriptor. Returns errno of a failure, or 0.
CUBEFOLD_API int write_all(int descriptor, std::string_view bytes);

}  // namespace cubefold
