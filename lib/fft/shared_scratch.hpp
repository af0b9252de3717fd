#pragma once

#include <cstddef>

#include "fftw_rows.hpp"

namespace cubefold::fft {

/// Memory for intermediate values of plans of which one runs at a time. It is as large as the largest plan needs, and
/// its contents are undefined when a plan begins.
class SharedScratch {
 public:
  /// Makes room for so many bytes. Frees the memory that get() returned before. Throws std::bad_alloc.
  void reserve(std::size_t bytes) {
    if (bytes <= bytes_) return;
    memory_ = aligned_array<char>(bytes);
    bytes_ = bytes;
  }

  /// Returns the memory, aligned as an aligned_array().
  char* get() const { return memory_.get(); }

 private:
  AlignedArray<char> memory_;
  std::size_t bytes_ = 0;
};

}  // namespace cubefold::fft
