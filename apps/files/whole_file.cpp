#include "files/whole_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

namespace cubefold::files {

namespace {

[[noreturn]] void fail(const std::string& path, const std::string& action, int error) {
  throw std::runtime_error(
      fmt::format("{}: cannot {}: {}", path, action, std::generic_category().message(error)));
}

/// Where a chain of symbolic links leads; the path itself if it is none.
std::string target_of(const std::string& path) {
  std::error_code none;
  const auto target = std::filesystem::canonical(path, none);
  return none ? path : target.string();
}

void require_replaceable(const std::string& path) {
  std::error_code none;
  const auto status = std::filesystem::status(path, none);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw std::runtime_error(fmt::format("{}: exists and is not a regular file", path));
  }
}

/// An error number, or 0.
int write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = write(file, bytes.data(), bytes.size());
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

}  // namespace

std::string WholeFile::temporary_name(const std::string& path, int id) {
  return fmt::format("{}.{}.part", target_of(path), id);
}

WholeFile::WholeFile(const std::string& path, int id) : path_(path), target_(target_of(path)) {
  require_replaceable(path_);
  const std::string name = temporary_name(path_, id);
  const int file = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) fail(path_, "create", errno);
  close(file);
  temporary_ = name;
}

WholeFile::WholeFile(WholeFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, std::string())) {}

WholeFile::~WholeFile() {
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void WholeFile::begin(const std::string& first_bytes, std::size_t total_bytes) {
  const int file = open(temporary_.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) fail(path_, "write", errno);
  int error = total_bytes == 0 ? 0 : posix_fallocate(file, 0, static_cast<off_t>(total_bytes));
  if (error == 0) error = write_all(file, first_bytes);
  if (close(file) != 0 && error == 0) error = errno;
  if (error != 0) fail(path_, fmt::format("write {} bytes", total_bytes), error);
}

void WholeFile::commit() {
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(path_, "rename to it", errno);
  temporary_.clear();
}

}  // namespace cubefold::files
