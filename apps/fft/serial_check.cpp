#include "fft/serial_check.hpp"

#include <fftw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <vector>

#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/count.hpp"
#include "cubefold/mpi/error.hpp"

using cubefold::Rank;
using cubefold::fft::BlockCyclic;
using cubefold::fft::Transform;
using cubefold::mpi::check;

namespace {

using Complex = std::complex<double>;

std::vector<Complex> read_whole(const std::string& path, const cubefold::npy::Header& header) {
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(header.data_offset));
  std::vector<Complex> points(header.count);
  const auto bytes = static_cast<std::streamsize>(header.count * cubefold::npy::bytes_of(header.element));
  if (header.element == cubefold::npy::Element::complex128) {
    file.read(reinterpret_cast<char*>(points.data()), bytes);  // NOLINT: raw file data
  } else {
    std::vector<double> reals(header.count);
    file.read(reinterpret_cast<char*>(reals.data()), bytes);  // NOLINT: raw file data
    std::copy(reals.begin(), reals.end(), points.begin());
  }
  if (!file) throw std::runtime_error(fmt::format("{}: cannot read again for the check", path));
  return points;
}

void transform_alone(std::vector<Complex>& points, Transform transform) {
  auto* data =
      reinterpret_cast<fftw_complex*>(points.data());  // NOLINT: the layouts agree by the C++ standard
  if (points.size() > std::numeric_limits<int>::max()) {
    throw std::runtime_error(
        fmt::format("{} points are too many for the serial transform of the check", points.size()));
  }
  const int sign = transform == Transform::forward ? FFTW_FORWARD : FFTW_BACKWARD;
  fftw_plan plan = fftw_plan_dft_1d(static_cast<int>(points.size()), data, data, sign, FFTW_ESTIMATE);
  if (plan == nullptr) throw std::runtime_error("FFTW refuses the serial transform of the check");
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  if (transform == Transform::inverse) {
    for (Complex& value : points) value /= static_cast<double>(points.size());
  }
}

std::vector<Complex> part_of(const std::vector<Complex>& whole, const BlockCyclic& points, Rank rank) {
  std::vector<Complex> part(points.local_count());
  for (std::size_t i = 0; i < part.size(); ++i) part[i] = whole[points.point_at(rank, i)];
  return part;
}

/// Process 0 cuts the whole result up; the others get theirs.
std::vector<Complex> own_part(MPI_Comm comm, const std::vector<Complex>& whole, const BlockCyclic& points,
                              Rank rank) {
  constexpr int tag = 0;
  const int bytes = cubefold::mpi::message_bytes(points.local_count(), sizeof(Complex));
  if (label(rank) != 0) {
    std::vector<Complex> part(points.local_count());
    check(MPI_Recv(part.data(), bytes, MPI_BYTE, 0, tag, comm, MPI_STATUS_IGNORE), "MPI_Recv");
    return part;
  }
  for (std::uint32_t r = 1; r < (std::uint32_t{1} << points.rank_bit_count()); ++r) {
    const auto part = part_of(whole, points, static_cast<Rank>(r));
    check(MPI_Send(part.data(), bytes, MPI_BYTE, static_cast<int>(r), tag, comm), "MPI_Send");
  }
  return part_of(whole, points, rank);
}

}  // namespace

double error_against_serial(MPI_Comm comm, const std::string& input, const cubefold::npy::Header& header,
                            Transform transform, const BlockCyclic& points, Rank rank,
                            std::span<const Complex> result) {
  std::vector<Complex> whole;
  cubefold::mpi::on_first(comm, [&] {
    whole = read_whole(input, header);
    transform_alone(whole, transform);
  });
  const auto expected = own_part(comm, whole, points, rank);
  double largest = 0;
  for (const Complex& value : expected) largest = std::max(largest, std::abs(value));
  check(MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, comm), "MPI_Allreduce");
  if (largest == 0) largest = 1;
  std::array<double, 2> sums{};  // of values that are at most about 1, so that no square overflows
  for (std::size_t i = 0; i < result.size(); ++i) {
    sums[0] += std::norm((result[i] - expected[i]) / largest);
    sums[1] += std::norm(expected[i] / largest);
  }
  check(MPI_Allreduce(MPI_IN_PLACE, sums.data(), 2, MPI_DOUBLE, MPI_SUM, comm), "MPI_Allreduce");
  return std::sqrt(sums[0] / (sums[1] == 0 ? 1 : sums[1]));
}

double error_limit(std::size_t point_count) {
  return 4 * std::numeric_limits<double>::epsilon() * std::sqrt(std::max(1.0, std::log2(point_count)));
}
