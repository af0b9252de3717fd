#include "files/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

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

[[noreturn]] void fail(const std::string& path, const std::string& action, int error) {
  throw std::runtime_error(
      fmt::format("{}: cannot {}: {}", path, action, std::generic_category().message(error)));
}

/// Returns the end of a chain of symbolic links, whether or not a file exists there. Returns the path itself if it is
/// not a symbolic link.
std::string target_of(const std::string& path) {
  constexpr int most_links = 40;
  std::filesystem::path target = path;
  std::error_code none;
  for (int i = 0; i < most_links && std::filesystem::is_symlink(target, none); ++i) {
    target = target.parent_path() / std::filesystem::read_symlink(target, none);
  }
  return target.string();
}

/// Writes all bytes. Returns errno of a failure, or 0.
int write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace

std::string WholeFile::temporary_name(const std::string& path, int number) {
  return fmt::format("{}.{}.part", target_of(path), number);
}

WholeFile::WholeFile(const std::string& path)
    : path_(path), target_(target_of(path)), number_(static_cast<int>(getpid())) {
  if (path.empty()) fail(path, "create", ENOENT);
  std::string name = temporary_name(path_, number_);
  int file = -1;
  // The number is the process id at first. Processes on other hosts and in other containers may have the same id.
  while ((file = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) < 0) {
    if (errno != EEXIST) fail(path_, "create", errno);
    name = temporary_name(path_, ++number_);
  }
  close(file);
  temporary_ = std::move(name);
  remove_at_signal(temporary_);
}

WholeFile::~WholeFile() {
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void WholeFile::write(std::string_view bytes) {
  const int file = open(temporary_.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) fail(path_, "write", errno);
  int error = write_all(file, bytes);
  if (close(file) != 0 && error == 0) error = errno;
  if (error != 0) fail(path_, fmt::format("write {} bytes", bytes.size()), error);
}

void WholeFile::commit() {
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(path_, "rename to it", errno);
  temporary_.clear();
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

ReservedSpace::ReservedSpace(const std::string& path, std::size_t bytes) {
  const WholeFile named(path);  // exists only while the file is opened
  file_ = open(WholeFile::temporary_name(path, named.number()).c_str(), O_WRONLY | O_CLOEXEC);
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
