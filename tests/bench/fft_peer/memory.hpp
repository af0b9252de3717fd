#pragma once

#include <cstddef>
#include <functional>

namespace cubefold::bench {

/// Makes the C library return large freed arrays to the system at once, so that later arrays do not reuse their memory.
/// Requires that no large array was freed before.
void return_freed_memory();

/// Bytes by which this process's memory grows during some work, including the memory of all libraries.
struct Growth {
  std::size_t peak_bytes = 0;  ///< at the peak
  std::size_t kept_bytes = 0;  ///< afterwards
};

/// Returns the growth during work(), or zeros if the system does not report it.
Growth growth_during(const std::function<void()>& work);

}  // namespace cubefold::bench
