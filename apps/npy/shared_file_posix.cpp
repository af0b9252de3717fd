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

class OpenFile {
 public:
  OpenFile(const std::string& path, int flags) : path_(path), file_(open(path.c_str(), flags | O_CLOEXEC)) {
    if (file_ < 0) fail(path_, "open");
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
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
    if (fsync(file_) != 0) fail(path_, "flush");
    if (close(std::exchange(file_, -1)) != 0) fail(path_, "close");
  }

 private:
  template <typename Byte>
  static void advance(std::size_t& offset, Byte*& bytes, std::size_t& count, std::size_t done) {
    offset += done;
    bytes += done;
    count -= done;
  }

  std::string path_;
  int file_;
};

/// Calls use(offset in the file, offset in memory, bytes) for each block.
template <typename Use>
void for_each_block(const FilePart& part, Use use) {
  const std::size_t block_points = part.points.block_point_count();
  for (std::size_t block = 0; block < part.points.block_count(); ++block) {
    const std::size_t first = part.points.point_at(part.rank, block * block_points);
    use(part.data_offset + first * part.number_bytes, block * block_points * part.number_bytes,
        block_points * part.number_bytes);
  }
}

}  // namespace

void read_blocks(MPI_Comm comm, const std::string& path, const FilePart& part, void* numbers) {
  mpi::together(comm, [&] {
    const OpenFile file(path, O_RDONLY);
    for_each_block(part, [&](std::size_t there, std::size_t here, std::size_t count) {
      file.read(there, static_cast<std::byte*>(numbers) + here, count);
    });
  });
}

void write_blocks(MPI_Comm comm, const std::string& path, const FilePart& part, const void* numbers) {
  mpi::together(comm, [&] {
    OpenFile file(path, O_WRONLY);
    for_each_block(part, [&](std::size_t there, std::size_t here, std::size_t count) {
      file.write(there, static_cast<const std::byte*>(numbers) + here, count);
    });
    file.flush_and_close();
  });
}

}  // namespace cubefold::npy
