#include "workers.hpp"

namespace cubefold::fft {

Workers::Workers(std::size_t count) {
  try {
    for (std::size_t i = 1; i < count; ++i) threads_.emplace_back([this, i] { serve(i); });
  } catch (...) {
    stop();
    throw;
  }
}

Workers::~Workers() {
  stop();
}

void Workers::stop() {
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Workers::run(const std::function<void(std::size_t)>& work) {
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    working_ = threads_.size();
    ++round_;
  }
  changed_.notify_all();
  work(0);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return working_ == 0; });
}

void Workers::serve(std::size_t number) {
  std::size_t served = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return is_stopped_ || round_ != served; });
    if (is_stopped_) return;
    served = round_;
    const auto& work = *work_;
    lock.unlock();
    work(number);
    lock.lock();
    if (--working_ == 0) changed_.notify_all();
  }
}

}  // namespace cubefold::fft
