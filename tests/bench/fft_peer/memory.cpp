#include "memory.hpp"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <optional>
#include <sstream>
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

std::size_t above(std::size_t bytes, std::size_t before) {
  return bytes > before ? bytes - before : 0;
}

}  // namespace

void return_freed_memory() {
  constexpr int large = 1 << 20;  // a set threshold does not grow with freed arrays
  mallopt(M_MMAP_THRESHOLD, large);
  mallopt(M_TRIM_THRESHOLD, 64 * large);  // FFTW takes its buffers anew in every transform
}

void load_code() {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    char dash = 0;
    std::string rights;
    words >> std::hex >> begin >> dash >> end >> rights;
    if (rights != "r-xp" || line.find(".so") == std::string::npos) continue;
    for (; begin < end; begin += page) static_cast<void>(*reinterpret_cast<const volatile char*>(begin));
  }
}

Growth growth_during(std::size_t sharing_processes, const std::function<void()>& work) {
  malloc_trim(0);  // the C library keeps freed memory for what the program allocates next
  const bool forgot = forget_peak();
  const auto before = status_bytes("VmRSS:");
  const auto shared_before = status_bytes("RssShmem:");
  work();
  const auto peak = status_bytes("VmHWM:");
  malloc_trim(0);
  const auto after = status_bytes("VmRSS:");
  const auto shared = status_bytes("RssShmem:");
  if (!forgot || !before || !shared_before || !peak || !after || !shared) return {};
  const std::size_t of_all = above(*shared, *shared_before);
  const std::size_t of_others = of_all - of_all / std::max<std::size_t>(sharing_processes, 1);
  return {above(above(*peak, *before), of_others), above(above(*after, *before), of_others)};
}

}  // namespace cubefold::bench
