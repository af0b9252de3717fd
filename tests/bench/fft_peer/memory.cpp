#include "memory.hpp"

#include <malloc.h>

#include <fstream>
#include <optional>
#include <string>

namespace cubefold::bench {

namespace {

/// Returns an entry of /proc/self/status in bytes, or nothing if there is none.
std::optional<std::size_t> status_bytes(const std::string& name) {
  constexpr std::size_t kib = 1024;
  std::ifstream file("/proc/self/status");
  for (std::string word; file >> word;) {
    std::size_t value = 0;
    if (word == name && file >> value) return value * kib;
  }
  return {};
}

/// Resets the peak of memory to the memory that is resident now. Linux does this if 5 is written to clear_refs. Returns
/// whether it succeeded.
bool forget_peak() {
  std::ofstream file("/proc/self/clear_refs");
  return static_cast<bool>(file << 5 << std::flush);
}

}  // namespace

void return_freed_memory() {
  constexpr int large = 1 << 20;  // a set threshold does not grow with freed arrays
  mallopt(M_MMAP_THRESHOLD, large);
  mallopt(M_TRIM_THRESHOLD, 64 * large);  // FFTW takes its buffers anew in every transform
}

Growth growth_during(const std::function<void()>& work) {
  const bool forgot = forget_peak();
  const auto before = status_bytes("VmRSS:");
  work();
  const auto peak = status_bytes("VmHWM:");
  const auto after = status_bytes("VmRSS:");
  if (!forgot || !before || !peak || !after) return {};
  const auto above = [&](std::size_t bytes) { return bytes > *before ? bytes - *before : 0; };
  return {above(*peak), above(*after)};
}

}  // namespace cubefold::bench
