#pragma once

#include <cstddef>
#include <cstdlib>

namespace cubefold {

/// Returns how many changed schedules or certificates a test tries: CUBEFOLD_MUTATIONS, which ./dev mutate sets, or
/// a number that takes some seconds.
inline std::size_t mutation_count(std::size_t otherwise) {
  const char* text = std::getenv("CUBEFOLD_MUTATIONS");
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

}  // namespace cubefold
