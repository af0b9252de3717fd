#pragma once

#include <chrono>
#include <string_view>

namespace cubefold::program {

/// A line on the user's terminal that says what a long run is at. Shown by process 0 only, only on a
/// terminal, and only once the run has lasted two seconds; gone when the object is.
class Progress {
 public:
  Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  void show(std::string_view what);

  /// Wipes the line, for other output to take its place.
  void wipe();

 private:
  using Clock = std::chrono::steady_clock;

  bool enabled_;
  bool visible_ = false;
  Clock::time_point next_;
};

}  // namespace cubefold::program
