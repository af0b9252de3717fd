#include "files/removal.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>

namespace cubefold::files {

namespace {

/// A list that only grows, because a signal may come at any time and to any thread.
struct Doomed {
  std::string path;
  const Doomed* next;
};

std::atomic<const Doomed*> all_doomed = nullptr;

constexpr std::array ending_signals{SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGPIPE, SIGXCPU, SIGUSR1,
                                    SIGUSR2, SIGABRT, SIGSEGV, SIGBUS,  SIGFPE,  SIGILL};

std::array<struct sigaction, NSIG> earlier_actions;

/// Removes all files, and calls only functions that POSIX allows in a signal handler. Then an earlier handler, such as
/// one of MPI, runs.
void remove_all(int signal) {
  for (const Doomed* doomed = all_doomed; doomed != nullptr; doomed = doomed->next)
    unlink(doomed->path.c_str());
  sigaction(signal, &earlier_actions[static_cast<std::size_t>(signal)], nullptr);
  raise(signal);
}

bool install_handlers() {
  for (const int signal : ending_signals) {
    auto& earlier = earlier_actions[static_cast<std::size_t>(signal)];
    sigaction(signal, nullptr, &earlier);
    if (earlier.sa_handler == SIG_IGN) continue;  // an ignored signal stays ignored, as under nohup
    struct sigaction action {};
    action.sa_handler = remove_all;
    sigaction(signal, &action, nullptr);
  }
  return true;
}

}  // namespace

void remove_at_signal(const std::string& path) {
  static const bool installed = install_handlers();
  static_cast<void>(installed);
  all_doomed =
      new Doomed{path, all_doomed};  // NOLINT(cppcoreguidelines-owning-memory): for the rest of the program
}

}  // namespace cubefold::files
