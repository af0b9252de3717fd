#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "comm_context.hpp"
#include "cubefold/export.h"
#include "shared_memory.hpp"

namespace cubefold::mpi {

/// Memory through which the processes of a communicator exchange data step by step, and a barrier between the steps.
/// The steps take microseconds, so a process that waits looks at the memory first and soon yields its core.
class CUBEFOLD_API SharedWindow {
 public:
  /// Collective: takes memory of `bytes` for the data. Throws std::bad_alloc, which may be on one process alone, if the
  /// processes cannot share as much.
  SharedWindow(MPI_Comm comm, std::size_t bytes);

  std::span<std::byte> data() const { return memory_.bytes().last(data_bytes_); }

  /// Waits until all processes have called this as often as this one, and makes what they wrote before visible. The
  /// processes are those of the context. Throws as CommContext::throw_if_failed() if one of them fails meanwhile, and
  /// Error with Status::timeout after the time limit of the context. The window must not be used after that.
  void wait_for_all(CommContext& context);

 private:
  using Steps = std::atomic<std::uint64_t>;
  static_assert(Steps::is_always_lock_free);

  Steps& steps_of(std::size_t process) const;

  std::size_t process_count_;
  std::size_t process_;
  std::size_t data_bytes_;
  SharedMemory memory_;
  std::uint64_t step_ = 0;
};

}  // namespace cubefold::mpi
