#include "npy/parallel_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>

#include "cubefold/mpi/error.hpp"
#include "files/output.hpp"
#include "mpi/agreement.hpp"
#include "text/shared_file.hpp"

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

constexpr std::size_t most_axes = 3;

/// The header as numbers that can be broadcast: element, offset, order, number of axes, extents.
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

}  // namespace

Header read_header(MPI_Comm comm, const std::string& path) {
  PackedHeader header{};
  mpi::root_try(comm, [&] { header = packed(header_of_file(path)); });
  mpi::check(MPI_Bcast(header.data(), sizeof header, MPI_BYTE, 0, comm), "MPI_Bcast");
  return unpacked(header);
}

void read_part(MPI_Comm comm, const fft::Layout& layout, const fft::Layout::Members& members,
               const std::string& path, const Header& header, void* part) {
  const std::size_t bytes = bytes_of(header.element);
  fft::Layout in_file;
  mpi::agree_on_outcome(
      comm, [&] { in_file = header.first_axis_fastest ? first_axis_fastest(layout, header.shape) : layout; });
  const NaturalOrder order(comm, in_file, members);
  std::optional<SharedFile> file;
  std::vector<Range> ranges;
  mpi::agree_on_outcome(comm, [&] {
    file.emplace(path, Access::read);
    ranges = even_ranges(point_count(header.shape), order.process_count());
  });
  order.scatter(ranges, part, bytes, [&](const Range& range, std::byte* points) {
    file->read(header.data_offset + range.first * bytes, points, range.count() * bytes);
  });
}

OutputFile::OutputFile(MPI_Comm comm, const std::string& path, Element element, const Shape& shape)
    : comm_(comm), element_(element) {
  mpi::agree_on_outcome(comm_, [&] {
    path_ = path;
    point_count_ = npy::point_count(shape);
    header_ = header_text(element, shape);
  });
  mpi::root_try(comm_, [&] {
    stream_ = files::stream_of(path);
    if (!stream_) space_.emplace(path, header_.size() + point_count_ * bytes_of(element));
  });
}

void OutputFile::write(const NaturalOrder& order, const void* part) {
  int number = -1;  // number of the temporary file; -1 for a stream
  mpi::root_try(comm_, [&] {
    if (stream_) return;
    space_.reset();
    whole_.emplace(path_);
    whole_->write(header_);
    number = whole_->number();
  });
  mpi::check(MPI_Bcast(&number, 1, MPI_INT, 0, comm_), "MPI_Bcast");
  if (number < 0) {
    write_to_stream(order, part);
  } else {
    write_to_file(number, order, part);
  }
}

void OutputFile::write_to_file(int number, const NaturalOrder& order, const void* part) {
  const std::size_t bytes = bytes_of(element_);
  std::string name;
  std::vector<Range> ranges;
  std::optional<SharedFile> file;
  mpi::agree_on_outcome(comm_, [&] {
    name = WholeFile::temporary_name(path_, number);
    files::remove_at_signal(name);  // if a process is killed, one that still runs removes the file
    file.emplace(name, Access::write);
    ranges = even_ranges(point_count_, order.process_count());
  });
  order.gather(ranges, part, bytes, [&](const Range& range, const std::byte* points) {
    file->write(header_.size() + range.first * bytes, points, range.count() * bytes);
  });
  mpi::agree_on_outcome(comm_, [&] { file->flush_and_close(); });
}

void OutputFile::write_to_stream(const NaturalOrder& order, const void* part) {
  const std::size_t bytes = bytes_of(element_);
  std::vector<Range> all_on_first;
  mpi::agree_on_outcome(comm_, [&] {
    all_on_first.resize(static_cast<std::size_t>(order.process_count()), {point_count_, point_count_});
    all_on_first.front() = {0, point_count_};
  });
  mpi::root_try(comm_, [&] { stream_->write(header_); });
  order.gather(all_on_first, part, bytes, [&](const Range& range, const std::byte* points) {
    const auto* text = reinterpret_cast<const char*>(points);  // NOLINT: raw data
    if (stream_) stream_->write({text, range.count() * bytes});
  });
}

void OutputFile::commit() {
  mpi::root_try(comm_, [&] {
    if (whole_) whole_->commit();
  });
}

}  // namespace cubefold::npy
