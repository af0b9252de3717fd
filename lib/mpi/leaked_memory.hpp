#pragma once

#include <memory>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#define CUBEFOLD_LEAK_SANITIZER
#endif
#endif

namespace cubefold::mpi {

/// Leaves memory to MPI until the process ends. After a failure MPI may still read it or write to it, and no call of
/// MPI tells when it no longer does. The leak sanitizer does not report this memory.
template <typename T>
void leak_to_mpi(std::unique_ptr<T> memory) noexcept {
  [[maybe_unused]] const T* left = memory.release();
#ifdef CUBEFOLD_LEAK_SANITIZER
  if (left != nullptr) __lsan_ignore_object(left);
#endif
}

}  // namespace cubefold::mpi
