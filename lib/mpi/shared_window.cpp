#include "shared_window.hpp"

#include <new>
#include <utility>
#include <vector>

#include "processes.hpp"
#include "waiting.hpp"

namespace cubefold::mpi {

// Memory of the system is 0, which is the first value of all counters.
SharedWindow::SharedWindow(MPI_Comm comm, std::size_t bytes)
    : process_count_(static_cast<std::size_t>(process_count(comm))),
      process_(static_cast<std::size_t>(rank_in(comm))),
      data_bytes_(bytes),
      memory_(comm, process_count_ * longest_line_bytes + bytes) {}

SharedWindow::Steps& SharedWindow::steps_of(std::size_t process) const {
  return *std::launder(reinterpret_cast<Steps*>(memory_.bytes().data() + process * longest_line_bytes));
}

void SharedWindow::wait_for_all(CommContext& context) {
  constexpr unsigned looks_between_notices = 1 << 12;
  ++step_;
  steps_of(process_).store(step_, std::memory_order_release);
  std::size_t next = 0;  // of the processes that may still be missing
  unsigned looks = 0;
  LimitedWait limited(context.time_limit());
  const auto have_come = [&] {
    while (next < process_count_ && steps_of(next).load(std::memory_order_acquire) >= step_) ++next;
    return next == process_count_;
  };
  const auto look = [&](bool is_long) {
    if (is_long || ++looks % looks_between_notices == 0) context.throw_if_peer_failed();
    return 1U;
  };
  wait_until(limited, have_come, look, [&] {
    std::vector<int> missing;
    for (std::size_t process = next; process < process_count_; ++process)
      if (steps_of(process).load() < step_) missing.push_back(static_cast<int>(process));
    throw_timeout(context.comm(), context.time_limit(), {std::move(missing), " in memory that they share"});
  });
}

}  // namespace cubefold::mpi
