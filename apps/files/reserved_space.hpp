#pragma once

#include <cstddef>
#include <string>

namespace cubefold::files {

/// Reserves space on the disk for a later file, so that a full disk is known before the work begins. The space belongs
/// to a file without a name, which disappears with the process however that ends. Release it before the real file is
/// made.
class ReservedSpace {
 public:
  /// Reserves space on the file system of the path, which must be a path for WholeFile. Throws std::runtime_error with
  /// the path and the reason.
  ReservedSpace(const std::string& path, std::size_t bytes);
  ReservedSpace(const ReservedSpace&) = delete;
  ReservedSpace& operator=(const ReservedSpace&) = delete;
  ~ReservedSpace();

 private:
  int file_;
};

}  // namespace cubefold::files
