#include "npy/parallel_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/error.hpp"

namespace cubefold::npy {

namespace {

using Complex = std::complex<double>;

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
class SharedFile {
 public:
  SharedFile(MPI_Comm comm, const std::string& path, int mode) : comm_(comm), path_(path) {
    const int code = MPI_File_open(comm, path.c_str(), mode, MPI_INFO_NULL, &file_);
    mpi::together(comm, [&] { check_file(code, path_, "open"); });
  }
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;
  ~SharedFile() {
    if (file_ != MPI_FILE_NULL) MPI_File_close(&file_);
  }

  /// Lets this process see its blocks of the data as one contiguous run.
  void show_part(std::size_t data_offset, MPI_Datatype number, const fft::BlockCyclic& points, Rank rank) {
    MPI_Datatype blocks = MPI_DATATYPE_NULL;
    mpi::check(
        MPI_Type_vector(static_cast<int>(points.block_count()), static_cast<int>(points.block_point_count()),
                        static_cast<int>(points.block_stride()), number, &blocks),
        "MPI_Type_vector");
    mpi::check(MPI_Type_commit(&blocks), "MPI_Type_commit");
    int number_bytes = 0;
    mpi::check(MPI_Type_size(number, &number_bytes), "MPI_Type_size");
    const auto first = points.point_at(rank, 0) * static_cast<std::size_t>(number_bytes);
    const std::size_t beginning = data_offset + first;
    const int code =
        MPI_File_set_view(file_, static_cast<MPI_Offset>(beginning), number, blocks, "native", MPI_INFO_NULL);
    mpi::check(MPI_Type_free(&blocks), "MPI_Type_free");
    mpi::together(comm_, [&] { check_file(code, path_, "set a view of"); });
  }

  void read_all(void* numbers, std::size_t count, MPI_Datatype number) {
    MPI_Status status;
    const int code = MPI_File_read_all(file_, numbers, static_cast<int>(count), number, &status);
    mpi::together(comm_, [&] { require_complete(code, status, count, number, "read"); });
  }

  void write_all(const void* numbers, std::size_t count, MPI_Datatype number) {
    MPI_Status status;
    const int code = MPI_File_write_all(file_, numbers, static_cast<int>(count), number, &status);
    mpi::together(comm_, [&] { require_complete(code, status, count, number, "write"); });
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

Header header_of_file(const std::string& path) {
  std::error_code none;
  const auto status = std::filesystem::status(path, none);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    fail(path, "is not a regular file");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(path, fmt::format("cannot read: {}", std::generic_category().message(errno)));
  try {
    return read_header(file);
  } catch (const std::runtime_error& error) {
    fail(path, error.what());
  }
}

}  // namespace

Header read_header(MPI_Comm comm, const std::string& path) {
  Header header{};
  mpi::on_first(comm, [&] { header = header_of_file(path); });
  mpi::check(MPI_Bcast(&header, sizeof header, MPI_BYTE, 0, comm), "MPI_Bcast");
  return header;
}

std::vector<Complex> read_part(MPI_Comm comm, const std::string& path, const Header& header,
                               const fft::BlockCyclic& points, Rank rank) {
  std::vector<Complex> part;
  std::vector<double> reals;
  const bool is_real = header.element == Element::float64;
  mpi::together(comm, [&] {
    part.resize(points.local_count());
    if (is_real) reals.resize(points.local_count());
  });
  SharedFile file(comm, path, MPI_MODE_RDONLY);
  MPI_Datatype number = is_real ? MPI_DOUBLE : MPI_C_DOUBLE_COMPLEX;
  file.show_part(header.data_offset, number, points, rank);
  if (is_real) {
    file.read_all(reals.data(), reals.size(), number);
    std::copy(reals.begin(), reals.end(), part.begin());
  } else {
    file.read_all(part.data(), part.size(), number);
  }
  return part;
}

namespace {

/// The process id of rank 0, on every process.
int id_of_job(MPI_Comm comm) {
  int id = static_cast<int>(getpid());
  mpi::check(MPI_Bcast(&id, 1, MPI_INT, 0, comm), "MPI_Bcast");
  return id;
}

}  // namespace

OutputFile::OutputFile(MPI_Comm comm, const std::string& path, std::size_t count) : comm_(comm) {
  const std::string header = header_text(Element::complex128, count);
  const int id = id_of_job(comm_);
  temporary_ = files::WholeFile::temporary_name(path, id);
  data_offset_ = header.size();
  mpi::on_first(comm_, [&] {
    file_.emplace(path, id);
    file_->begin(header, header.size() + count * bytes_of(Element::complex128));
  });
}

void OutputFile::write(std::span<const Complex> part, const fft::BlockCyclic& points, Rank rank) {
  SharedFile shared(comm_, temporary_, MPI_MODE_WRONLY);
  shared.show_part(data_offset_, MPI_C_DOUBLE_COMPLEX, points, rank);
  shared.write_all(part.data(), part.size(), MPI_C_DOUBLE_COMPLEX);
  shared.flush_and_close();
  mpi::on_first(comm_, [&] { file_->commit(); });
}

}  // namespace cubefold::npy
