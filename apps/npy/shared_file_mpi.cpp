#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/error.hpp"
#include "npy/shared_file.hpp"

namespace cubefold::npy {

namespace {

/// What goes in one call, whose count is an int.
constexpr std::size_t largest_piece = std::size_t{1} << 30;

[[noreturn]] void fail(const std::string& path, const std::string& reason) {
  throw std::runtime_error(fmt::format("{}: {}", path, reason));
}

void check_file(int code, const std::string& path, const char* action) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  fail(path, fmt::format("cannot {}: {}", action, text.data()));
}

}  // namespace

class SharedFile::Implementation {
 public:
  Implementation(MPI_Comm comm, const std::string& path, Access access) : comm_(comm), path_(path) {
    const int mode = access == Access::read ? MPI_MODE_RDONLY : MPI_MODE_WRONLY;
    const int code = MPI_File_open(comm, path.c_str(), mode, MPI_INFO_NULL, &file_);
    mpi::together(comm, [&] { check_file(code, path_, "open"); });
  }
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;
  ~Implementation() {
    if (file_ != MPI_FILE_NULL) MPI_File_close(&file_);
  }

  void read(std::size_t offset, std::byte* bytes, std::size_t count) {
    in_pieces(count, "read", [&](std::size_t done, int piece, MPI_Status* status) {
      return MPI_File_read_at(file_, static_cast<MPI_Offset>(offset + done), bytes + done, piece, MPI_BYTE,
                              status);
    });
  }

  void write(std::size_t offset, const std::byte* bytes, std::size_t count) {
    in_pieces(count, "write", [&](std::size_t done, int piece, MPI_Status* status) {
      return MPI_File_write_at(file_, static_cast<MPI_Offset>(offset + done), bytes + done, piece, MPI_BYTE,
                               status);
    });
  }

  void flush_and_close() {
    const int flushed = MPI_File_sync(file_);
    const int closed = MPI_File_close(&file_);
    mpi::together(comm_, [&] {
      check_file(flushed, path_, "flush");
      check_file(closed, path_, "close");
    });
  }

 private:
  template <typename Call>
  void in_pieces(std::size_t count, const char* action, Call call) {
    for (std::size_t done = 0; done < count;) {
      const int piece = static_cast<int>(std::min(count - done, largest_piece));
      MPI_Status status;
      check_file(call(done, piece, &status), path_, action);
      int moved = 0;
      mpi::check(MPI_Get_count(&status, MPI_BYTE, &moved), "MPI_Get_count");
      if (moved != piece) fail(path_, fmt::format("cannot {}: {} of {} bytes done", action, done, count));
      done += static_cast<std::size_t>(piece);
    }
  }

  MPI_Comm comm_;
  std::string path_;
  MPI_File file_ = MPI_FILE_NULL;
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
