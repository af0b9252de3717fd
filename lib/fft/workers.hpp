#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace cubefold::fft {

/// Threads that compute parts of the same work together with the thread that calls run(). They never call MPI. A thread
/// looks for the next work for some microseconds before it sleeps, unless the process may not use a core for each of
/// them.
class Workers {
 public:
  /// Starts count - 1 threads. Throws std::system_error if the system has no thread left.
  explicit Workers(std::size_t count);
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  ~Workers();

  std::size_t count() const { return threads_.size() + 1; }

  /// Calls work(i) for i = 0 .. count() - 1, each in another thread, and returns after all of them. work() must not
  /// throw. One thread at a time may call this.
  void run(const std::function<void(std::size_t)>& work);

 private:
  void serve(std::size_t number);
  void stop();

  template <typename Condition>
  void wait_until(Condition holds);

  std::vector<std::thread> threads_;
  bool looks_;
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void(std::size_t)>* work_ = nullptr;
  std::atomic<std::size_t> round_ = 0;    ///< number of calls of run()
  std::atomic<std::size_t> working_ = 0;  ///< threads that have not finished the work of this round
  std::atomic<bool> is_stopped_ = false;
};

/// Returns the number of cores that the process may use, at least 1.
std::size_t usable_cores();

/// Returns the number of threads that compute, which is 1 without workers.
inline std::size_t thread_count(const std::shared_ptr<Workers>& workers) {
  return workers ? workers->count() : 1;
}

/// Calls work(begin, end) for equal ranges of 0 .. count - 1, one for each thread, whose ends are multiples of
/// `granule` or count. Without workers, or for one granule, the calling thread does all.
template <typename Work>
void share(const std::shared_ptr<Workers>& workers, std::size_t count, std::size_t granule, Work work) {
  const std::size_t granules = (count + granule - 1) / granule;
  if (!workers || granules < 2) return work(std::size_t{0}, count);
  const std::size_t threads = workers->count();
  workers->run([&](std::size_t i) {
    const std::size_t begin = granules * i / threads * granule;
    const std::size_t end = i + 1 == threads ? count : granules * (i + 1) / threads * granule;
    if (begin < end) work(begin, end);
  });
}

}  // namespace cubefold::fft
