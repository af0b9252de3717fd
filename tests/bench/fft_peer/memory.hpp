#pragma once

#include <cstddef>
#include <functional>

namespace cubefold::bench {

/// Makes the C library return large freed arrays to the system at once, so that later arrays do not reuse their memory.
/// Requires that no large array was freed before.
void return_freed_memory();

/// Reads all code of this process's libraries once. All processes of a host share its pages, so that growth_during()
/// should not count them where a library is called first.
void load_code();

/// Bytes by which this process's memory grows during some work, including the memory of all libraries.
struct Growth {
  std::size_t peak_bytes = 0;  ///< at the peak
  std::size_t kept_bytes = 0;  ///< afterwards
};

/// Returns the growth during work(), or zeros if the system does not report it. Freed memory that the C library keeps
/// is returned to the system before and afterwards, so that no work reuses what work before it has left. Memory that
/// processes share exists once, but is resident in each of them: of what this process has at the end, it counts its
/// part among `sharing_processes`, which are all that share it.
Growth growth_during(std::size_t sharing_processes, const std::function<void()>& work);

}  // namespace cubefold::bench
