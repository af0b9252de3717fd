#include "npy/parallel_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
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
  } catch (const std::exception& error) {
    fail(path, error.what());
  }
}

/// As numbers that can be broadcast.
constexpr std::size_t most_axes = 3;
using PackedHeader = std::array<std::size_t, 4 + most_axes>;

PackedHeader packed(const Header& header) {
  PackedHeader numbers{static_cast<std::size_t>(header.element), header.data_offset,
                       header.first_axis_fastest ? 1U : 0U, header.shape.size()};
  std::copy(header.shape.begin(), header.shape.end(), numbers.begin() + 4);
  return numbers;
}

Header unpacked(const PackedHeader& numbers) {
  const auto* shape = numbers.data() + 4;
  return {static_cast<Element>(numbers[0]), Shape(shape, shape + numbers[3]), numbers[1], numbers[2] == 1};
}

/// The process id of rank 0, on every process.
int id_of_job(MPI_Comm comm) {
  int id = static_cast<int>(getpid());
  mpi::check(MPI_Bcast(&id, 1, MPI_INT, 0, comm), "MPI_Bcast");
  return id;
}

}  // namespace

Header read_header(MPI_Comm comm, const std::string& path) {
  PackedHeader header{};
  mpi::on_first(comm, [&] { header = packed(header_of_file(path)); });
  mpi::check(MPI_Bcast(header.data(), sizeof header, MPI_BYTE, 0, comm), "MPI_Bcast");
  return unpacked(header);
}

void read_part(MPI_Comm comm, const fft::Layout& layout, const fft::Layout::Members& members,
               const std::string& path, const Header& header, void* part) {
  const std::size_t bytes = bytes_of(header.element);
  fft::Layout in_file;
  mpi::together(
      comm, [&] { in_file = header.first_axis_fastest ? first_axis_fastest(layout, header.shape) : layout; });
  const NaturalOrder order(comm, in_file, members);
  std::optional<SharedFile> file;
  std::vector<Range> ranges;
  mpi::together(comm, [&] {
    file.emplace(path, Access::read);
    ranges = even_ranges(point_count(header.shape), order.process_count());
  });
  order.scatter(ranges, part, bytes, [&](const Range& range, std::byte* points) {
    file->read(header.data_offset + range.first * bytes, points, range.count() * bytes);
  });
}

OutputFile::OutputFile(MPI_Comm comm, const std::string& path, Element element, const Shape& shape)
    : comm_(comm), element_(element) {
  const int id = id_of_job(comm_);
  std::string header;
  mpi::together(comm_, [&] {
    point_count_ = npy::point_count(shape);
    header = header_text(element, shape);
    data_offset_ = header.size();
    temporary_ = files::WholeFile::temporary_name(path, id);
  });
  mpi::on_first(comm_, [&] {
    file_.emplace(path, id);
    file_->begin(header, header.size() + point_count_ * bytes_of(element));
  });
}

void OutputFile::write(const NaturalOrder& order, const void* part) {
  const std::size_t bytes = bytes_of(element_);
  std::optional<SharedFile> file;
  std::vector<Range> ranges;
  mpi::together(comm_, [&] {
    file.emplace(temporary_, Access::write);
    ranges = even_ranges(point_count_, order.process_count());
  });
  order.gather(ranges, part, bytes, [&](const Range& range, const std::byte* points) {
    file->write(data_offset_ + range.first * bytes, points, range.count() * bytes);
  });
  mpi::together(comm_, [&] { file->flush_and_close(); });
}

void OutputFile::commit() {
  mpi::on_first(comm_, [&] { file_->commit(); });
}

}  // namespace cubefold::npy
