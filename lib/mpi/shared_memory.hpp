#pragma once

#include <mpi.h>
#include <semaphore.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "cubefold/export.h"

namespace cubefold::mpi {

/// The bytes of a cache line of the A64FX; others have 64 or 128.
constexpr std::size_t longest_line_bytes = 256;

/// Memory that all processes of a communicator can read and write. All of them must be on one host. It is a shared
/// memory object of POSIX without a name, because a process unmaps it without the others. A window of MPI is freed by
/// all processes in the same order, which a program that frees communicators does not promise.
class CUBEFOLD_API SharedMemory {
 public:
  /// Collective: takes `bytes` of memory, which are 0. Throws std::bad_alloc if the host has none to share, which may
  /// be on one process alone.
  SharedMemory(MPI_Comm comm, std::size_t bytes);
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  /// Does not communicate. The host frees the memory when the last process has done this.
  ~SharedMemory();

  std::span<std::byte> bytes() const { return bytes_; }

  /// Leaves the memory to the end of the process: after a failure MPI may still use it.
  void leak_to_mpi() { bytes_ = {}; }

 private:
  std::span<std::byte> bytes_;
};

/// A barrier in shared memory, where processes that wait leave their cores to others. The process that comes last wakes
/// the others through their semaphores.
class CUBEFOLD_API NodeBarrier {
 public:
  /// Returns the bytes that a meeting place of so many processes takes, a multiple of 256.
  static std::size_t bytes(std::size_t process_count);

  /// Takes memory of bytes(process_count) that begins at a multiple of 64. Process 0 initialises it; the others must
  /// not come before that. A process looks for the others for `longest_look` before it sleeps, or
  /// yields its core some times if that is 0.
  NodeBarrier(std::span<std::byte> memory, std::size_t process_count, std::size_t process,
              std::chrono::microseconds longest_look = std::chrono::microseconds(20));

  /// Waits until all processes have come as often as this one. Meanwhile calls look() after 1 ms, 2 ms and so on, at
  /// least every 64 ms. If look() throws, the meeting place cannot be used any more.
  void wait(const std::function<void()>& look);

 private:
  using Arrivals = std::atomic<std::uint32_t>;
  static_assert(Arrivals::is_always_lock_free);

  std::size_t process_;
  std::chrono::microseconds longest_look_;
  Arrivals* arrivals_;           ///< of all processes, over all meetings
  std::span<sem_t> semaphores_;  ///< of the processes
  std::uint32_t expected_arrivals_ = 0;
};

}  // namespace cubefold::mpi
