#include "program/progress.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace cubefold::program {

namespace {

/// Returns whether standard error appears on a terminal. mpirun gives its processes a pipe and copies their standard
/// error, so the terminal may be that of the parent process.
bool shows_on_a_terminal() {
  if (isatty(STDERR_FILENO) != 0) return true;
  const int starter = open(fmt::format("/proc/{}/fd/2", getppid()).c_str(), O_WRONLY | O_NOCTTY | O_NONBLOCK);
  if (starter < 0) return false;
  const bool terminal = isatty(starter) != 0;
  close(starter);
  return terminal;
}

/// Returns the value of an environment variable. It is empty if the variable is not set.
std::string_view value_of(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): no thread sets variables
  return value == nullptr ? "" : value;
}

bool can_show() {
  return value_of("NO_COLOR").empty() && value_of("TERM") != "dumb" && shows_on_a_terminal();
}

void show_line(std::string_view text) {
  fmt::print(stderr, "\r\033[K{}", text);
  std::fflush(stderr);
}

}  // namespace

Progress::Progress(bool shows)
    : enabled_(shows && can_show()), next_(Clock::now() + std::chrono::seconds(2)) {}

Progress::~Progress() {
  wipe();
}

void Progress::show(std::string_view what) {
  const auto now = Clock::now();
  if (!enabled_ || now < next_) return;
  next_ = now + std::chrono::milliseconds(200);
  visible_ = true;
  show_line(fmt::format("{} ...", what));
}

void Progress::wipe() {
  if (!visible_) return;
  visible_ = false;
  show_line("");
}

LongWork::LongWork(std::string what) : what_(std::move(what)) {
  if (can_show()) thread_ = std::jthread([this](const std::stop_token& stop) { show(stop); });
}

void LongWork::show(const std::stop_token& stop) {
  const auto begin = std::chrono::steady_clock::now();
  auto next = begin + std::chrono::seconds(2);
  bool visible = false;
  std::unique_lock lock(mutex_);
  while (!ended_.wait_until(lock, stop, next, [] { return false; }) && !stop.stop_requested()) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(next - begin).count();
    show_line(fmt::format("{} ... {} s", what_, seconds));
    visible = true;
    next += std::chrono::seconds(1);
  }
  if (visible) show_line("");
}

}  // namespace cubefold::program
