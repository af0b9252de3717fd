#include "cubefold/fft/memory.hpp"

#include <cstdlib>
#include <new>

#include "fftw_rows.hpp"
#include "mpi/agreement.hpp"

namespace cubefold::fft {

namespace {

void* allocated(std::size_t bytes) {
  constexpr std::size_t cache_line = 64;
  constexpr std::size_t large_page = 2 << 20;
  if (bytes == 0) return nullptr;
  const std::size_t alignment = bytes < 2 * large_page ? cache_line : large_page;
  if (bytes > static_cast<std::size_t>(-1) - alignment) throw std::bad_alloc();
  void* memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  if (alignment == large_page) ask_for_large_pages(memory, bytes);
  return memory;
}

}  // namespace

void* allocate(const mpi::VirtualComm& comm, std::size_t bytes) {
  void* memory = nullptr;
  try {
    mpi::agree_on_outcome(comm.virtual_comm(), [&] { memory = allocated(bytes); });
  } catch (...) {
    free_memory(memory);
    throw;
  }
  return memory;
}

void free_memory(void* memory) noexcept {
  std::free(memory);
}

}  // namespace cubefold::fft
