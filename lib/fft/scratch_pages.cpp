#include "scratch_pages.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace cubefold::fft {

ScratchPages::ScratchPages(std::size_t bytes) : bytes_(std::max<std::size_t>(bytes, 1)) {
  memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory_ == MAP_FAILED) throw std::bad_alloc();
}

ScratchPages::~ScratchPages() {
  munmap(memory_, bytes_);
}

}  // namespace cubefold::fft
