#include "whole_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <random>
#include <system_error>
#include <utility>

namespace cubefold {

namespace {

std::atomic<void (*)(const std::string&)> see_temporary_name = nullptr;

[[noreturn]] void fail(const std::string& path, const std::string& action, int error) {
  throw std::system_error(error, std::generic_category(), fmt::format("{}: cannot {}", path, action));
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

}  // namespace

int WholeFile::random_number() {
  return static_cast<int>(std::random_device{}() >> 2U);  // the next numbers fit into an int too
}

std::string WholeFile::temporary_name(const std::string& path, int number) {
  return fmt::format("{}.{}.part", target_of(path), number);
}

WholeFile::WholeFile(const std::string& path, int number)
    : path_(path), target_(target_of(path)), number_(number) {
  if (path.empty()) fail(path, "create", ENOENT);
  std::string name = free_name();
  int file = -1;
  while ((file = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666)) < 0) {
    if (errno != EEXIST) fail(path_, "create", errno);
    name = free_name();
  }
  close(file);
  temporary_ = std::move(name);
}

/// Returns the first temporary name from the present number on that no file has, and passes it on. This comes before
/// the file is made, so that a signal at that moment leaves nothing.
std::string WholeFile::free_name() {
  std::string name = temporary_name(path_, number_);
  struct stat file {};
  while (lstat(name.c_str(), &file) == 0) name = temporary_name(path_, ++number_);
  if (auto* const see = see_temporary_name.load()) see(name);
  return name;
}

WholeFile::~WholeFile() {
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void WholeFile::write(std::string_view bytes) {
  const int file = open(temporary_.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) fail(path_, "write", errno);
  int error = write_all(file, bytes);
  if (close(file) != 0 && error == 0) error = errno;
  if (error != 0) fail(path_, fmt::format("write {} bytes", bytes.size()), error);
}

void WholeFile::commit() {
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(path_, "rename to it", errno);
  temporary_.clear();
}

void report_temporary_names(void (*see)(const std::string& name)) {
  see_temporary_name = see;
}

int write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace cubefold
