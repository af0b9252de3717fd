#pragma once

#include <cstddef>
#include <string>

namespace cubefold::files {

/// Space on the disk for a file to come, so that a full disk is known before the work begins. It belongs to a file
/// without a name, which is gone with the process however that ends; give it back before the real file is made.
class ReservedSpace {
 public:
  /// On the file system of the path, which is one for WholeFile. Throws std::runtime_error with the path and the
  /// reason.
  ReservedSpace(const std::string& path, std::size_t bytes);
  ReservedSpace(const ReservedSpace&) = delete;
  ReservedSpace& operator=(const ReservedSpace&) = delete;
  ~ReservedSpace();

 private:
  int file_;
};

}  // namespace cubefold::files
