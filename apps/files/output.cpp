#include "files/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "text/whole_file.hpp"

namespace cubefold::files {

Output::Output(std::string path) : path_(std::move(path)), stream_(stream_of(path_)) {
  if (!stream_) WholeFile{path_};
}

void Output::write(std::string_view bytes) {
  if (stream_) return stream_->write(bytes);
  WholeFile file(path_);
  file.write(bytes);
  file.commit();
}

std::optional<Output> open_output(const std::string& path) {
  return path.empty() ? std::nullopt : std::optional<Output>(path);
}

namespace {

/// An entry of the list of files that are removed at a signal. The list only grows, because a signal may come at any
/// time and to any thread.
struct Doomed {
  std::string path;
  const Doomed* next;
};

std::atomic<const Doomed*> all_doomed = nullptr;

constexpr std::array ending_signals{SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGPIPE, SIGXCPU, SIGUSR1,
                                    SIGUSR2, SIGABRT, SIGSEGV, SIGBUS,  SIGFPE,  SIGILL};

std::array<struct sigaction, NSIG> earlier_actions;

/// Removes all files of the list, and then lets the earlier action for the signal run, such as a handler of MPI. Calls
/// only functions that POSIX allows in a signal handler.
void remove_all(int signal) {
  for (const Doomed* doomed = all_doomed; doomed != nullptr; doomed = doomed->next)
    unlink(doomed->path.c_str());
  sigaction(signal, &earlier_actions[static_cast<std::size_t>(signal)], nullptr);
  raise(signal);
}

/// Returns whether a process ends after this signal, whatever its handler does.
bool is_a_fault(int signal) {
  return signal == SIGABRT || signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL;
}

/// An ignored signal stays ignored, as under nohup. A handler that is there already may let the program go on, as that
/// of UCX does for SIGHUP, so it keeps its signal too. MPI prints a stack at faults and then lets the process end.
bool install_handlers() {
  for (const int signal : ending_signals) {
    auto& earlier = earlier_actions[static_cast<std::size_t>(signal)];
    sigaction(signal, nullptr, &earlier);
    if (earlier.sa_handler == SIG_IGN || (earlier.sa_handler != SIG_DFL && !is_a_fault(signal))) continue;
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
  // NOLINTNEXTLINE(cppcoreguidelines-owning-memory): for the rest of the program
  auto* const doomed = new Doomed{path, all_doomed};
  while (!all_doomed.compare_exchange_weak(doomed->next, doomed)) {
  }
}

void remove_incomplete_files_at_signal() {
  report_temporary_names(remove_at_signal);
}

ReservedSpace::ReservedSpace(const std::string& path, std::size_t bytes) {
  const WholeFile named(path);  // exists only while the file is opened
  file_ = open(WholeFile::temporary_name(path, named.number()).c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
  const int error = file_ < 0 ? errno : posix_fallocate(file_, 0, static_cast<off_t>(bytes));
  if (error == 0) return;
  if (file_ >= 0) close(file_);
  throw std::runtime_error(
      fmt::format("{}: cannot write {} bytes: {}", path, bytes, std::generic_category().message(error)));
}

ReservedSpace::~ReservedSpace() {
  close(file_);
}

}  // namespace cubefold::files
