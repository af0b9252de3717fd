// This program computes the singular values of a square matrix, or the eigenvalues of a symmetric one, by one-sided
// Jacobi rotations, a CC-cube algorithm.
//
//     CUBEFOLD_GRID=torus:4x2 mpirun -n 8 jacobi [singular-values|eigenvalues [COLUMNS [PACKETS [PLACEMENT]]]]
//
// Every rank has two blocks of columns: one stays and one moves. A sweep rotates every pair of columns once. In phase
// e = d, d - 1, ..., 1 the moving blocks visit all ranks of an e-cube. Then the halves of the cube exchange blocks, so
// that those that stayed are in one half and those that moved in the other.

#include <mpi.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cubefold/mpi/cc_cube_algorithm.hpp"

namespace {

using cubefold::ItemRange, cubefold::StagePacket;
using cubefold::mpi::CcCubeAlgorithm;
using Column = std::span<double>;

constexpr double tolerance = 1e-14;  // columns are orthogonal if the cosine of their angle is smaller
constexpr int most_sweeps = 30;

/// A matrix of numbers from -0.5 to 0.5 that look random, each of which depends on its place alone. If it is
/// symmetric, no eigenvalue is below -order / 2, and with order / 2 added to the diagonal they are the singular values.
struct Matrix {
  std::size_t order;
  bool is_symmetric;
  double shift = is_symmetric ? static_cast<double>(order) / 2 : 0;

  double at(std::size_t row, std::size_t column) const {
    if (is_symmetric && row > column) std::swap(row, column);
    const std::uint64_t bits = (column * order + row + 1) * 0x9e3779b97f4a7c15U;
    const std::uint64_t number = (bits ^ bits >> 31U) * 0xbf58476d1ce4e5b9U >> 11U;
    return static_cast<double>(number) * 0x1p-53 - 0.5 + (row == column ? shift : 0);
  }
};

double product(Column x, Column y) {
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

/// Makes two columns orthogonal by a rotation. Returns the cosine of the angle that they had.
double rotate(Column x, Column y) {
  const double xx = product(x, x), yy = product(y, y), xy = product(x, y);
  const double cosine = xy == 0 ? 0 : std::abs(xy) / std::sqrt(xx * yy);
  if (cosine < tolerance) return cosine;
  const double zeta = (yy - xx) / (2 * xy);
  const double t = std::copysign(1 / (std::abs(zeta) + std::hypot(1, zeta)), zeta);
  const double c = 1 / std::hypot(1, t);
  for (std::size_t i = 0; i < x.size(); ++i)
    std::tie(x[i], y[i]) = std::pair(c * (x[i] - t * y[i]), c * (y[i] + t * x[i]));
  return cosine;
}

/// The columns of a process: `width` that stay, and then as many that move.
class Columns {
 public:
  Columns(const cubefold::mpi::VirtualComm& comm, const Matrix& matrix, std::size_t packet_count)
      : comm_(comm), order_(matrix.order), width_(order_ / comm.placement().rank_count() / 2) {
    for (int e = dimension_count(comm.placement()); e > 0; --e) {
      std::vector<int> visits;  // 0; 0 1 0; 0 1 0 2 0 1 0; ...
      for (std::size_t stage = 1; stage < std::size_t{1} << e; ++stage)
        visits.push_back(std::countr_zero(stage));
      visits_.push_back(algorithm(std::move(visits), packet_count));
      divisions_.push_back(algorithm({e - 1}, 1));
    }
    const std::size_t first = 2 * width_ * label(comm.rank());
    for (std::size_t column = first; column < first + 2 * width_; ++column)
      for (std::size_t row = 0; row < order_; ++row) values_.push_back(matrix.at(row, column));
  }

  /// Rotates every pair of columns of all processes once. Returns the largest cosine of an angle that was met.
  double sweep() {
    double worst = 0;
    const auto rotate_pair = [&](auto i, auto j) { worst = std::max(worst, rotate(column(i), column(j))); };
    const auto rotate_moving = [&](ItemRange range) {
      for (std::size_t j = range.begin; j < range.end; ++j)
        for (std::size_t i = 0; i < width_; ++i) rotate_pair(i, width_ + j);
    };
    for (const std::size_t end : {width_, 2 * width_}) {
      for (std::size_t i = end - width_; i < end; ++i)
        for (std::size_t j = i + 1; j < end; ++j) rotate_pair(i, j);
    }
    for (std::size_t phase = 0; phase < visits_.size(); ++phase) {
      // Pipelining is legal, because columns may be rotated with those that stay in any order.
      exchange(visits_[phase], width_, [&](const auto& packet) { rotate_moving(share_of(packet, width_)); });
      rotate_moving({0, width_});
      const auto is_upper = label(comm_.rank()) >> (visits_.size() - 1 - phase) & 1U;
      exchange(divisions_[phase], is_upper ? 0 : width_, [](const StagePacket&) {});
    }
    rotate_moving({0, width_});
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, comm_.virtual_comm());
    return worst;
  }

  /// Returns the length of a column, which is a singular value when all columns are orthogonal.
  double length(std::size_t number) { return std::sqrt(product(column(number), column(number))); }

 private:
  CcCubeAlgorithm algorithm(std::vector<int> dimensions, std::size_t packet_count) const {
    const auto bytes = [order = order_, width = width_](const StagePacket& packet) {
      return share_of(packet, width).size() * order * sizeof(double);
    };
    return {comm_, std::move(dimensions), {.packet_count = packet_count, .packet_bytes = bytes}};
  }

  Column column(std::size_t number) { return Column(values_).subspan(number * order_, order_); }

  /// Exchanges `width` columns from `first` on, packet by packet, each after prepare(packet).
  template <typename Prepare>
  void exchange(CcCubeAlgorithm& algorithm, std::size_t first, Prepare prepare) {
    const auto columns_of = [&](const StagePacket& packet) {
      const ItemRange range = share_of(packet, width_);
      return Column(values_).subspan((first + range.begin) * order_, range.size() * order_);
    };
    const auto produce = [&](const StagePacket& packet, std::span<std::byte> room) {
      prepare(packet);
      std::ranges::copy(std::as_bytes(columns_of(packet)), room.begin());
    };
    const auto consume = [&](const StagePacket& packet, std::span<const std::byte> arrived) {
      std::ranges::copy(arrived, std::as_writable_bytes(columns_of(packet)).begin());
    };
    algorithm.run({.produce = produce, .consume = consume});
  }

  const cubefold::mpi::VirtualComm& comm_;
  std::size_t order_, width_;
  std::vector<double> values_;
  std::vector<CcCubeAlgorithm> visits_, divisions_;
};

std::size_t parse_number(const std::string& text) {
  std::size_t number = 0;
  const auto [read, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || read != text.data() + text.size() || number == 0)
    throw std::invalid_argument("'" + text + "' is no number above 0");
  return number;
}

/// Returns the exit status: 0 if all columns became orthogonal, 1 if they did not.
int solve(const Matrix& matrix, std::size_t packet_count, const std::string& placement) {
  const cubefold::mpi::VirtualComm comm(MPI_COMM_WORLD, {}, placement);
  const auto block_count = 2 * static_cast<std::size_t>(comm.placement().rank_count());
  if (matrix.order % block_count != 0) {
    throw std::invalid_argument(std::to_string(matrix.order) + " columns are no multiple of " +
                                std::to_string(block_count) + ", twice the number of processes");
  }
  Columns columns(comm, matrix, packet_count);
  MPI_Barrier(comm.virtual_comm());
  const double begin = MPI_Wtime();
  int sweep_count = 1;
  while (columns.sweep() >= tolerance && sweep_count < most_sweeps) ++sweep_count;
  const double seconds = MPI_Wtime() - begin;
  std::vector<double> lengths(matrix.order / comm.placement().rank_count()), values(matrix.order);
  for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] = columns.length(i);
  const auto count = static_cast<int>(lengths.size());
  MPI_Gather(lengths.data(), count, MPI_DOUBLE, values.data(), count, MPI_DOUBLE, 0, comm.virtual_comm());
  if (label(comm.rank()) == 0) {
    std::ranges::sort(values);
    std::printf("%zu columns in %zu blocks, %d sweeps in %.3f s; %s:\n", matrix.order, block_count,
                sweep_count, seconds, matrix.is_symmetric ? "eigenvalues" : "singular values");
    for (const double value : values) std::printf("%.15g\n", value - matrix.shift);
  }
  return sweep_count < most_sweeps ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int status = 2, process = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &process);
  try {
    const std::string wanted = argc > 1 ? argv[1] : "singular-values";
    if (wanted != "singular-values" && wanted != "eigenvalues")
      throw std::invalid_argument("'" + wanted + "' is neither singular-values nor eigenvalues");
    const Matrix matrix{argc > 2 ? parse_number(argv[2]) : 256, wanted == "eigenvalues"};
    status = solve(matrix, argc > 3 ? parse_number(argv[3]) : 1, argc > 4 ? argv[4] : "standard");
  } catch (const std::exception& error) {  // the exception is the same on all processes
    if (process == 0) std::fprintf(stderr, "jacobi: %s\n", error.what());
  }
  MPI_Finalize();
  return status;
}
