#include "shared_window.hpp"

#include <chrono>
#include <thread>

#include "processes.hpp"
#include "waiting.hpp"

namespace cubefold::mpi {

namespace {

std::size_t processes_of(MPI_Comm comm) {
  return static_cast<std::size_t>(process_count(comm));
}

/// Returns how long a process looks for others: not at all if some of them need its core.
std::chrono::microseconds longest_look(std::size_t process_count) {
  return std::chrono::microseconds(process_count <= std::thread::hardware_concurrency() ? 100 : 0);
}

}  // namespace

SharedWindow::SharedWindow(MPI_Comm comm, std::size_t bytes)
    : data_bytes_(bytes),
      memory_(comm, NodeBarrier::bytes(processes_of(comm)) + bytes),
      barrier_(memory_.bytes(), processes_of(comm), static_cast<std::size_t>(rank_in(comm)),
               longest_look(processes_of(comm))) {}

// MPI makes progress for other messages of this process when it is asked for notices of failures. The barrier's atomic
// operations and semaphores make visible what the processes wrote before.
void SharedWindow::wait_for_all(CommContext& context) {
  LimitedWait limited(context.time_limit());
  barrier_.wait([&] {
    context.throw_if_peer_failed();
    if (limited.is_over())
      throw_timeout(context.comm(), context.time_limit(), {{}, " in memory that they share"});
  });
}

}  // namespace cubefold::mpi
