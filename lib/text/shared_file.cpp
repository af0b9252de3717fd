#include "shared_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace cubefold {

namespace {

/// A file that is written has a temporary name, under which another user may have put a symbolic link.
int flags_of(Access access) {
  return access == Access::read ? O_RDONLY : O_WRONLY | O_NOFOLLOW;
}

[[noreturn]] void fail(const std::string& path, const char* action) {
  const std::string reason = std::generic_category().message(errno);
  throw std::runtime_error(fmt::format("{}: cannot {}: {}", path, action, reason));
}

/// Calls move(offset, bytes, count) until all bytes are done. move() returns the number of bytes done, or less than 1.
template <typename Byte, typename Move>
void move_all(std::size_t offset, Byte* bytes, std::size_t count, const std::string& path, const char* action,
              Move move) {
  while (count > 0) {
    errno = ENODATA;  // the reason for a short file, which the system reports as no error
    const auto moved = move(static_cast<off_t>(offset), bytes, count);
    if (moved < 0 && errno == EINTR) continue;
    if (moved <= 0) fail(path, action);
    const auto done = static_cast<std::size_t>(moved);
    offset += done;
    bytes += done;
    count -= done;
  }
}

}  // namespace

SharedFile::SharedFile(const std::string& path, Access access)
    : path_(path), file_(open(path.c_str(), flags_of(access) | O_CLOEXEC)) {
  if (file_ < 0) fail(path_, "open");
}

SharedFile::~SharedFile() {
  if (file_ >= 0) close(file_);
}

void SharedFile::read(std::size_t offset, std::byte* bytes, std::size_t count) const {
  move_all(offset, bytes, count, path_, "read",
           [this](off_t at, std::byte* to, std::size_t left) { return pread(file_, to, left, at); });
}

void SharedFile::write(std::size_t offset, const std::byte* bytes, std::size_t count) const {
  move_all(offset, bytes, count, path_, "write", [this](off_t at, const std::byte* from, std::size_t left) {
    return pwrite(file_, from, left, at);
  });
}

void SharedFile::flush_and_close() {
  if (fsync(file_) != 0) fail(path_, "flush");
  if (close(std::exchange(file_, -1)) != 0) fail(path_, "close");
}

}  // namespace cubefold
