#include "files/whole_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "files/removal.hpp"

namespace cubefold::files {

namespace {

[[noreturn]] void fail(const std::string& path, const std::string& action, int error) {
  throw std::runtime_error(
      fmt::format("{}: cannot {}: {}", path, action, std::generic_category().message(error)));
}

/// Returns the end of a chain of symbolic links, whether or not a file exists there. Returns the path itself if it is
/// no link.
std::string target_of(const std::string& path) {
  constexpr int most_links = 40;
  std::filesystem::path target = path;
  std::error_code none;
  for (int i = 0; i < most_links && std::filesystem::is_symlink(target, none); ++i) {
    target = target.parent_path() / std::filesystem::read_symlink(target, none);
  }
  return target.string();
}

/// Writes all bytes. Returns an error number, or 0.
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
  // Processes of other hosts and containers may have the same number.
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

}  // namespace cubefold::files
