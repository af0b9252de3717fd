#include "program/progress.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "program/mpi_program.hpp"

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

}  // namespace

Progress::Progress()
    : enabled_(is_first_process() && shows_on_a_terminal()), next_(Clock::now() + std::chrono::seconds(2)) {}

Progress::~Progress() {
  wipe();
}

void Progress::show(std::string_view what) {
  const auto now = Clock::now();
  if (!enabled_ || now < next_) return;
  next_ = now + std::chrono::milliseconds(200);
  visible_ = true;
  fmt::print(stderr, "\r\033[K{} ...", what);
  std::fflush(stderr);
}

void Progress::wipe() {
  if (!visible_) return;
  visible_ = false;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
}

}  // namespace cubefold::program
