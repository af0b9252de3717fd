#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace cubefold::program {

/// Shows a line on the user's terminal that names the current step of a long run, once the run has lasted two seconds.
/// Erasing the line takes an escape sequence, so nothing is shown if NO_COLOR is set or TERM is `dumb`. The destructor
/// erases the line.
class Progress {
 public:
  /// Shows lines if standard error appears on a terminal. Only one process of a job may pass `true`.
  explicit Progress(bool shows);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  void show(std::string_view what);

  /// Erases the line, so that other output can take its place.
  void wipe();

 private:
  using Clock = std::chrono::steady_clock;

  bool enabled_;
  bool visible_ = false;
  Clock::time_point next_;
};

/// Shows on the user's terminal what a program does and for how many seconds, once that has lasted two seconds. It
/// shows and erases its line under the conditions of Progress.
class LongWork {
 public:
  explicit LongWork(std::string what);
  LongWork(const LongWork&) = delete;
  LongWork& operator=(const LongWork&) = delete;

 private:
  void show(const std::stop_token& stop);

  std::string what_;
  std::mutex mutex_;
  std::condition_variable_any ended_;
  std::jthread thread_;  ///< ends first, as it uses the other members
};

/// Returns work(). Shows `what` if it takes long.
template <typename Work>
auto shown_if_long(std::string what, Work work) {
  const LongWork shown(std::move(what));
  return work();
}

}  // namespace cubefold::program
