#pragma once

#include <cstddef>
#include <functional>
#include <optional>

namespace cubefold::bench {

/// To be called first of all: large arrays that are freed go back to the system at once, so that the next do not find
/// their memory there already.
void return_freed_memory();

/// By how many bytes the memory of this process grows at its peak while the work is done, all that libraries take included;
/// nothing where the system does not say.
std::optional<std::size_t> peak_growth_bytes(const std::function<void()>& work);

}  // namespace cubefold::bench
