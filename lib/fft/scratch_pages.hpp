#pragma once

#include <cstddef>

namespace cubefold::fft {

/// Memory that reads as zeros. A page is taken only when it is written to, and all are given back at once. Throws
/// std::bad_alloc.
class ScratchPages {
 public:
  explicit ScratchPages(std::size_t bytes);
  ScratchPages(const ScratchPages&) = delete;
  ScratchPages& operator=(const ScratchPages&) = delete;
  ~ScratchPages();

  char* get() const { return static_cast<char*>(memory_); }

 private:
  std::size_t bytes_;
  void* memory_ = nullptr;
};

}  // namespace cubefold::fft
