#include "fft/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cubefold/mpi/error.hpp"

using cubefold::mpi::check;

namespace {

/// What bins are sorted by: NaN cannot be compared and counts as nothing.
double strength(std::complex<double> value) {
  const double magnitude = std::abs(value);
  return std::isnan(magnitude) ? 0 : magnitude;
}

/// Indices of the part's points of largest magnitude, descending.
std::vector<std::size_t> strongest_of_part(Points part, std::size_t count) {
  std::vector<std::size_t> indices(part.size());
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  const auto end = indices.begin() + static_cast<std::ptrdiff_t>(std::min(count, indices.size()));
  std::partial_sort(indices.begin(), end, indices.end(),
                    [&](std::size_t a, std::size_t b) { return strength(part[a]) > strength(part[b]); });
  indices.erase(end, indices.end());
  return indices;
}

/// Laid out as MPI_DOUBLE_INT.
struct Candidate {
  double strength;
  int process;
};

}  // namespace

double energy(MPI_Comm comm, Points part) {
  double sum = std::accumulate(part.begin(), part.end(), 0.0, [](double total, std::complex<double> value) {
    return total + std::norm(value);
  });
  check(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, comm), "MPI_Allreduce");
  return sum;
}

std::vector<Bin> strongest_bins(MPI_Comm comm, Points part, const cubefold::fft::BlockCyclic& points,
                                cubefold::Rank rank, std::size_t count) {
  const auto own = strongest_of_part(part, count);
  const int me = static_cast<int>(label(rank));
  std::size_t taken = 0;
  std::vector<Bin> bins;
  while (bins.size() < std::min(count, points.point_count())) {
    Candidate best{taken < own.size() ? strength(part[own[taken]]) : -1.0, me};
    check(MPI_Allreduce(MPI_IN_PLACE, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm), "MPI_Allreduce");
    Bin bin{};
    if (best.process == me) {
      const std::size_t index = own[taken++];
      bin = {points.point_at(rank, index), std::abs(part[index])};
    }
    check(MPI_Bcast(&bin, sizeof bin, MPI_BYTE, best.process, comm), "MPI_Bcast");
    bins.push_back(bin);
  }
  return bins;
}
