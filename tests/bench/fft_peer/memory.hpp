#pragma once

#include <cstddef>
#include <functional>
#include <optional>

namespace cubefold::bench {

/// Makes freed large arrays go back to the system at once, so that later arrays do not reuse their memory. Call this
/// first.
void return_freed_memory();

/// Returns the growth of this process's memory at its peak while the work is done, with the memory of all libraries.
/// Returns nothing if the system does not report it.
std::optional<std::size_t> peak_growth_bytes(const std::function<void()>& work);

}  // namespace cubefold::bench
