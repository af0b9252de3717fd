#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "cubefold/mpi/agreement.hpp"
#include "npy/shared_file.hpp"

namespace cubefold::npy {

namespace {

[[noreturn]] void fail(const std::string& path, const char* action) {
  const std::string reason = std::generic_category().message(errno);
  throw std::runtime_error(fmt::format("{}: cannot {}: {}", path, action, reason));
}

}  // namespace

class SharedFile::Implementation {
 public:
  Implementation(MPI_Comm comm, const std::string& path, Access access)
      : comm_(comm),
        path_(path),
        file_(open(path.c_str(), (access == Access::read ? O_RDONLY : O_WRONLY) | O_CLOEXEC)) {
    mpi::together(comm_, [&] {
      if (file_ < 0) fail(path_, "open");
    });
  }
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;
  ~Implementation() {
    if (file_ >= 0) close(file_);
  }

  void read(std::size_t offset, std::byte* bytes, std::size_t count) const {
    while (count > 0) {
      errno = ENODATA;  // what an early end of the file leaves
      const auto done = pread(file_, bytes, count, static_cast<off_t>(offset));
      if (done <= 0) fail(path_, "read");
      advance(offset, bytes, count, static_cast<std::size_t>(done));
    }
  }

  void write(std::size_t offset, const std::byte* bytes, std::size_t count) const {
    while (count > 0) {
      const auto done = pwrite(file_, bytes, count, static_cast<off_t>(offset));
      if (done < 0) fail(path_, "write");
      advance(offset, bytes, count, static_cast<std::size_t>(done));
    }
  }

  void flush_and_close() {
    mpi::together(comm_, [&] {
      if (fsync(file_) != 0) fail(path_, "flush");
      if (close(std::exchange(file_, -1)) != 0) fail(path_, "close");
    });
  }

 private:
  template <typename Byte>
  static void advance(std::size_t& offset, Byte*& bytes, std::size_t& count, std::size_t done) {
    offset += done;
    bytes += done;
    count -= done;
  }

  MPI_Comm comm_;
  std::string path_;
  int file_;
};

SharedFile::SharedFile(MPI_Comm comm, const std::string& path, Access access)
    : implementation_(std::make_unique<Implementation>(comm, path, access)) {}

SharedFile::~SharedFile() = default;

void SharedFile::read(std::size_t offset, std::byte* bytes, std::size_t count) {
  implementation_->read(offset, bytes, count);
}

void SharedFile::write(std::size_t offset, const std::byte* bytes, std::size_t count) {
  implementation_->write(offset, bytes, count);
}

void SharedFile::flush_and_close() {
  implementation_->flush_and_close();
}

}  // namespace cubefold::npy
