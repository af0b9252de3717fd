#pragma once

#include <cstddef>

namespace cubefold::fuzz {

/// Counts the memory that operator new gives out. Programs that link memory_meter.cpp have a counting operator new.
/// Only one thread may allocate.
class MemoryMeter {
 public:
  MemoryMeter();

  /// Returns how much memory was in use at once since the meter was made, beyond what was in use then.
  std::size_t peak_bytes() const;

 private:
  std::size_t bytes_before_;
};

}  // namespace cubefold::fuzz
