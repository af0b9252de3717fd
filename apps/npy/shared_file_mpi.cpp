#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/error.hpp"
#include "npy/shared_file.hpp"

namespace cubefold::npy {

namespace {

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

/// An open file of MPI-IO; opening, closing and every use that may fail on some processes only is agreed on.
class OpenFile {
 public:
  OpenFile(MPI_Comm comm, const std::string& path, int mode) : comm_(comm), path_(path) {
    const int code = MPI_File_open(comm, path.c_str(), mode, MPI_INFO_NULL, &file_);
    mpi::together(comm, [&] { check_file(code, path_, "open"); });
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (file_ != MPI_FILE_NULL) MPI_File_close(&file_);
  }

  /// Lets this process see its blocks of the data as one contiguous run.
  void show(const FilePart& part) {
    const fft::BlockCyclic& points = part.points;
    MPI_Datatype blocks = MPI_DATATYPE_NULL;
    mpi::check(
        MPI_Type_vector(static_cast<int>(points.block_count()), static_cast<int>(points.block_point_count()),
                        static_cast<int>(points.block_stride()), part.number, &blocks),
        "MPI_Type_vector");
    mpi::check(MPI_Type_commit(&blocks), "MPI_Type_commit");
    const std::size_t beginning = part.data_offset + points.point_at(part.rank, 0) * part.number_bytes;
    const int code = MPI_File_set_view(file_, static_cast<MPI_Offset>(beginning), part.number, blocks,
                                       "native", MPI_INFO_NULL);
    mpi::check(MPI_Type_free(&blocks), "MPI_Type_free");
    mpi::together(comm_, [&] { check_file(code, path_, "set a view of"); });
  }

  void read(void* numbers, const FilePart& part) {
    const std::size_t count = part.points.local_count();
    MPI_Status status;
    const int code = MPI_File_read_all(file_, numbers, static_cast<int>(count), part.number, &status);
    mpi::together(comm_, [&] { require_complete(code, status, count, part.number, "read"); });
  }

  void write(const void* numbers, const FilePart& part) {
    const std::size_t count = part.points.local_count();
    MPI_Status status;
    const int code = MPI_File_write_all(file_, numbers, static_cast<int>(count), part.number, &status);
    mpi::together(comm_, [&] { require_complete(code, status, count, part.number, "write"); });
  }

  /// Errors that a write has put off come out here.
  void flush_and_close() {
    const int flushed = MPI_File_sync(file_);
    const int closed = MPI_File_close(&file_);
    mpi::together(comm_, [&] {
      check_file(flushed, path_, "flush");
      check_file(closed, path_, "close");
    });
  }

 private:
  void require_complete(int code, const MPI_Status& status, std::size_t count, MPI_Datatype number,
                        const char* action) const {
    check_file(code, path_, action);
    int done = 0;
    mpi::check(MPI_Get_count(&status, number, &done), "MPI_Get_count");
    if (static_cast<std::size_t>(done) != count) {
      fail(path_, fmt::format("cannot {}: {} of {} numbers done", action, done, count));
    }
  }

  MPI_Comm comm_;
  std::string path_;
  MPI_File file_ = MPI_FILE_NULL;
};

}  // namespace

void read_blocks(MPI_Comm comm, const std::string& path, const FilePart& part, void* numbers) {
  OpenFile file(comm, path, MPI_MODE_RDONLY);
  file.show(part);
  file.read(numbers, part);
}

void write_blocks(MPI_Comm comm, const std::string& path, const FilePart& part, const void* numbers) {
  OpenFile file(comm, path, MPI_MODE_WRONLY);
  file.show(part);
  file.write(numbers, part);
  file.flush_and_close();
}

}  // namespace cubefold::npy
