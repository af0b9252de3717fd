#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace cubefold::fft {

/// Threads that compute parts of the same work together with the thread that calls run(). They wait between calls and
/// never call MPI.
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

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void(std::size_t)>* work_ = nullptr;
  std::size_t round_ = 0;    ///< number of calls of run()
  std::size_t working_ = 0;  ///< threads that have not finished the work of this round
  bool is_stopped_ = false;
};

}  // namespace cubefold::fft
