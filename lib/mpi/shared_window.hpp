#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>

#include "comm_context.hpp"
#include "cubefold/export.h"
#include "shared_memory.hpp"

namespace cubefold::mpi {

/// Memory through which the processes of a communicator exchange data step by step, and a barrier between the steps.
/// The steps take microseconds, so a process looks for the others before it sleeps, unless processes share cores.
class CUBEFOLD_API SharedWindow {
 public:
  /// Collective: takes memory of `bytes` for the data. Throws std::bad_alloc, which may be on one process alone, if the
  /// processes cannot share as much. No process may wait before all have agreed that none has failed.
  SharedWindow(MPI_Comm comm, std::size_t bytes);

  std::span<std::byte> data() const { return memory_.bytes().last(data_bytes_); }

  /// Waits until all processes have called this as often as this one, and makes what they wrote before visible. The
  /// processes are those of the context. Throws as CommContext::throw_if_failed() if one of them fails meanwhile, and
  /// Error with Status::timeout after the time limit of the context. The window must not be used after that.
  void wait_for_all(CommContext& context);

 private:
  std::size_t data_bytes_;
  SharedMemory memory_;
  NodeBarrier barrier_;
};

}  // namespace cubefold::mpi
