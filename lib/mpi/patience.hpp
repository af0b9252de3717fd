#pragma once

#include <thread>

namespace cubefold::mpi {

/// Gives the core away now and then while nothing happens. Not every time: MPI, which is asked each time, may itself do so, and
/// a message would then be found that much later.
class Patience {
 public:
  void wait_after(bool anything_happened) {
    if (anything_happened) {
      idle_count_ = 0;
    } else if (++idle_count_ % polls_between_yields == 0) {
      std::this_thread::yield();
    }
  }

 private:
  static constexpr unsigned polls_between_yields = 16;
  unsigned idle_count_ = 0;
};

}  // namespace cubefold::mpi
