#include "program/whole_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/error.hpp"

namespace cubefold::program {

namespace {

[[noreturn]] void fail(const std::string& path, const std::string& action, int error) {
  throw std::runtime_error(fmt::format("{}: cannot {}: {}", path, action, std::strerror(error)));  // NOLINT
}

void require_replaceable(const std::string& path) {
  struct stat information {};
  if (stat(path.c_str(), &information) == 0 && !S_ISREG(information.st_mode)) {
    throw std::runtime_error(fmt::format("{}: exists and is not a regular file", path));
  }
}

void create(const std::string& temporary, const std::string& path) {
  const int file = open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) fail(path, "create", errno);
  close(file);
}

void fill(const std::string& temporary, const std::string& path, const std::string& bytes,
          std::size_t total) {
  const int file = open(temporary.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) fail(path, "write", errno);
  int error = total == 0 ? 0 : posix_fallocate(file, 0, static_cast<off_t>(total));
  if (error == 0 && write(file, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()))
    error = errno;
  if (close(file) != 0 && error == 0) error = errno;
  if (error != 0) fail(path, fmt::format("write {} bytes", total), error);
}

/// Different for jobs that run at the same time.
std::string name_beside(MPI_Comm comm, const std::string& path) {
  int id = static_cast<int>(getpid());
  mpi::check(MPI_Bcast(&id, 1, MPI_INT, 0, comm), "MPI_Bcast");
  return fmt::format("{}.{}.part", path, id);
}

}  // namespace

WholeFile::WholeFile(MPI_Comm comm, std::string path)
    : comm_(comm), path_(std::move(path)), temporary_(name_beside(comm, path_)), is_mine_(false) {
  mpi::on_first(comm_, [&] {
    require_replaceable(path_);
    create(temporary_, path_);
    is_mine_ = true;
  });
}

WholeFile::~WholeFile() {
  if (is_mine_) unlink(temporary_.c_str());
}

void WholeFile::begin(const std::string& first_bytes, std::size_t total_bytes) {
  mpi::on_first(comm_, [&] { fill(temporary_, path_, first_bytes, total_bytes); });
}

void WholeFile::commit() {
  mpi::on_first(comm_, [&] {
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail(path_, "rename to it", errno);
    is_mine_ = false;
  });
}

}  // namespace cubefold::program
