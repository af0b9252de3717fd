#include "fft/pooled.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <stdexcept>

#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/error.hpp"

using cubefold::npy::NaturalOrder;

namespace cubefold::fft_program {

Plane plane_of(const npy::Shape& shape, std::size_t slice) {
  const std::size_t slices = shape.size() < 3 ? 1 : shape.front();
  if (slice >= slices) {
    throw std::invalid_argument(fmt::format("--slice {}: the result has {}", slice, slices));
  }
  const std::size_t columns = shape.back();
  const std::size_t rows = shape.size() < 2 ? 1 : shape[shape.size() - 2];
  return {slice * rows * columns, rows, columns};
}

template <typename T>
Cells pooled(const NaturalOrder& order, const Plane& plane, std::span<const T> part) {
  const bool is_curve = plane.row_count == 1;
  Cells cells{std::min(plane.row_count, plane_cells),
              std::min(plane.column_count, is_curve ? curve_columns : plane_cells),
              {}};
  mpi::collective_try(order.comm(), [&] { cells.largest.resize(cells.rows * cells.columns); });
  const std::size_t last_point = plane.first_point + plane.row_count * plane.column_count;
  const auto take = [&](std::size_t point, double magnitude) {
    const std::size_t in_plane = point - plane.first_point;
    const std::size_t row = in_plane / plane.column_count * cells.rows / plane.row_count;
    const std::size_t column = in_plane % plane.column_count * cells.columns / plane.column_count;
    double& largest = cells.largest[row * cells.columns + column];
    if (std::isfinite(magnitude)) largest = std::max(largest, magnitude);
  };
  const npy::OwnPoints& own = order.own();
  own.for_each_run(
      own.count_below(plane.first_point), own.count_below(last_point), [&](const npy::OwnPoints::Run& run) {
        for (std::size_t i = 0; i < run.length; ++i) {
          take(run.point + i * run.step, static_cast<double>(std::abs(part[run.place + i * run.stride])));
        }
      });
  int rank = 0;
  mpi::check(MPI_Comm_rank(order.comm(), &rank), "MPI_Comm_rank");
  mpi::check(MPI_Reduce(rank == 0 ? MPI_IN_PLACE : cells.largest.data(), cells.largest.data(),
                        static_cast<int>(cells.largest.size()), MPI_DOUBLE, MPI_MAX, 0, order.comm()),
             "MPI_Reduce");
  return cells;
}

template Cells pooled(const NaturalOrder&, const Plane&, std::span<const float>);
template Cells pooled(const NaturalOrder&, const Plane&, std::span<const double>);
template Cells pooled(const NaturalOrder&, const Plane&, std::span<const std::complex<float>>);
template Cells pooled(const NaturalOrder&, const Plane&, std::span<const std::complex<double>>);

}  // namespace cubefold::fft_program
