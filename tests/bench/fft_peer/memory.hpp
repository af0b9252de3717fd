#pragma once

#include <cstddef>
#include <functional>
#include <optional>

namespace cubefold::bench {

/// Makes the C library return large freed arrays to the system at once, so that later arrays do not reuse their memory.
/// Requires that no large array was freed before.
void return_freed_memory();

/// Returns the bytes by which this process's memory has grown at its peak during work(), including the memory of all
/// libraries. Returns nothing if the system does not report it.
std::optional<std::size_t> peak_growth_bytes(const std::function<void()>& work);

}  // namespace cubefold::bench
