#include "npy/parallel_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/error.hpp"
#include "npy/shared_file.hpp"

namespace cubefold::npy {

namespace {

using Complex = std::complex<double>;

[[noreturn]] void fail(const std::string& path, const std::string& reason) {
  throw std::runtime_error(fmt::format("{}: {}", path, reason));
}

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
  MPI_Datatype number = is_real ? MPI_DOUBLE : MPI_C_DOUBLE_COMPLEX;
  void* numbers = is_real ? static_cast<void*>(reals.data()) : part.data();
  read_blocks(comm, path, {header.data_offset, number, bytes_of(header.element), points, rank}, numbers);
  std::copy(reals.begin(), reals.end(), part.begin());
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
  write_blocks(comm_, temporary_, {data_offset_, MPI_C_DOUBLE_COMPLEX, sizeof(Complex), points, rank},
               part.data());
  mpi::on_first(comm_, [&] { file_->commit(); });
}

}  // namespace cubefold::npy
