#include "fuzz/memory_meter.hpp"

#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace {

std::size_t used_bytes = 0;
std::size_t peak_used_bytes = 0;

void* counted_or_null(void* memory) noexcept {
  used_bytes += malloc_usable_size(memory);
  peak_used_bytes = std::max(peak_used_bytes, used_bytes);
  return memory;
}

void* counted(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return counted_or_null(memory);
}

void give_back(void* memory) noexcept {
  used_bytes -= malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

namespace cubefold::fuzz {

MemoryMeter::MemoryMeter() : bytes_before_(used_bytes) {
  peak_used_bytes = used_bytes;
}

std::size_t MemoryMeter::peak_bytes() const {
  return peak_used_bytes - bytes_before_;
}

}  // namespace cubefold::fuzz

// All forms are here, because the sanitizers have their own ones of those that are missing.
void* operator new(std::size_t bytes) {
  return counted(std::malloc(std::max<std::size_t>(bytes, 1)));
}
void* operator new[](std::size_t bytes) {
  return operator new(bytes);
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return counted_or_null(std::malloc(std::max<std::size_t>(bytes, 1)));
}
void* operator new[](std::size_t bytes, const std::nothrow_t& none) noexcept {
  return operator new(bytes, none);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  const auto line = static_cast<std::size_t>(alignment);
  return counted(std::aligned_alloc(line, (bytes / line + 1) * line));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return operator new(bytes, alignment);
}

void operator delete(void* memory) noexcept {
  give_back(memory);
}
void operator delete[](void* memory) noexcept {
  give_back(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  give_back(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  give_back(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  give_back(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  give_back(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  give_back(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
  give_back(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  give_back(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  give_back(memory);
}
