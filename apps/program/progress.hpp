#pragma once

#include <chrono>
#include <string_view>

namespace cubefold::program {

/// Shows a line on the user's terminal that names the current step of a long run. Only process 0 shows it, only on a
/// terminal, and only after the run has lasted two seconds. The destructor erases it.
class Progress {
 public:
  Progress();
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

}  // namespace cubefold::program
