#include "files/stream.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>

#include "text/whole_file.hpp"

namespace cubefold::files {

namespace {

/// The number of descriptors that are searched. Shells and users rarely give more to the processes that they start.
constexpr int most_descriptors = 256;

[[noreturn]] void cannot_write(const std::string& path, int error) {
  const std::string reason = std::generic_category().message(error);
  throw std::runtime_error(path == "-" ? fmt::format("cannot write to standard output: {}", reason)
                                       : fmt::format("{}: cannot write: {}", path, reason));
}

bool same_file(const struct stat& a, const struct stat& b) {
  return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// Returns an open descriptor through which this process can write to the file, or nothing if there is none.
std::optional<int> open_descriptor(const struct stat& file) {
  for (int descriptor = STDOUT_FILENO; descriptor < most_descriptors; ++descriptor) {
    struct stat other {};
    const int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY || fstat(descriptor, &other) != 0) continue;
    if (same_file(file, other)) return descriptor;
  }
  return std::nullopt;
}

/// Returns the number of the parent of a process, or 0 if it is not known.
int parent_of(int process) {
  std::string line;
  std::getline(std::ifstream(fmt::format("/proc/{}/stat", process)), line);
  int parent = 0;
  const std::size_t end_of_name = line.rfind(')');
  if (end_of_name == std::string::npos) return 0;
  return std::sscanf(line.c_str() + end_of_name, ") %*c %d", &parent) == 1 ? parent : 0;
}

/// Returns whether a process that has started this one, or a starter of it, has the file open as its output. mpirun
/// gives its processes a pipe and copies their output to such a file. That of MPICH does so behind a proxy.
bool starter_writes_to(const struct stat& file) {
  for (int starter = getppid(); starter > 0; starter = parent_of(starter)) {
    for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
      struct stat other {};
      const std::string path = fmt::format("/proc/{}/fd/{}", starter, descriptor);
      if (stat(path.c_str(), &other) == 0 && same_file(file, other)) return true;
    }
  }
  return false;
}

std::unique_ptr<Stream> stream_through(const std::string& path, int descriptor) {
  const int own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (own < 0) cannot_write(path, errno);
  return std::make_unique<Stream>(path, own);
}

}  // namespace

Stream::~Stream() {
  close(file_);
}

void Stream::write(std::string_view bytes) {
  std::fflush(stdout);  // earlier output of printf comes first
  if (const int error = write_all(file_, bytes); error != 0) cannot_write(path_, error);
}

std::unique_ptr<Stream> stream_of(const std::string& path) {
  if (path == "-") return stream_through(path, STDOUT_FILENO);
  struct stat file {};
  if (stat(path.c_str(), &file) != 0) return nullptr;
  if (const auto descriptor = open_descriptor(file)) return stream_through(path, *descriptor);
  if (S_ISREG(file.st_mode)) {
    if (!starter_writes_to(file)) return nullptr;
    throw std::runtime_error(fmt::format(
        "{}: the process that started this one writes to it; name another file, or - for standard output",
        path));
  }
  const int own = open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
  if (own < 0) cannot_write(path, errno);
  return std::make_unique<Stream>(path, own);
}

}  // namespace cubefold::files
