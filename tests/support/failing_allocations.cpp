#include "failing_allocations.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<bool> is_armed = false;
std::atomic<std::uint64_t> failing_number = 0;
std::atomic<std::size_t> counted_bytes = 0;
std::atomic<std::uint64_t> counted = 0;

void arm(std::uint64_t number, std::size_t least_bytes) {
  failing_number = number;
  counted_bytes = least_bytes;
  counted = 0;
  is_armed = true;
}

bool fails(std::size_t bytes) {
  return is_armed && bytes >= counted_bytes && ++counted == failing_number;
}

void* memory_or_null(std::size_t bytes) noexcept {
  return fails(bytes) ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
}

void* memory_or_null(std::size_t bytes, std::align_val_t alignment) noexcept {
  const auto line = static_cast<std::size_t>(alignment);
  return fails(bytes) ? nullptr : std::aligned_alloc(line, (bytes / line + 1) * line);
}

void* memory_or_throw(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t bytes) {
  return memory_or_throw(memory_or_null(bytes));
}
void* operator new[](std::size_t bytes) {
  return memory_or_throw(memory_or_null(bytes));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return memory_or_null(bytes);
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return memory_or_null(bytes);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return memory_or_throw(memory_or_null(bytes, alignment));
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
  return memory_or_throw(memory_or_null(bytes, alignment));
}
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return memory_or_null(bytes, alignment);
}
void* operator new[](std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return memory_or_null(bytes, alignment);
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete[](void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  std::free(memory);
}

namespace cubefold {

FailingAllocation::FailingAllocation(std::uint64_t number, std::size_t least_bytes) : number_(number) {
  arm(number, least_bytes);
}

FailingAllocation::~FailingAllocation() {
  is_armed = false;
}

std::uint64_t FailingAllocation::count() const {
  return counted;
}

}  // namespace cubefold
