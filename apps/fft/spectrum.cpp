#include "fft/spectrum.hpp"

#include <algorithm>
#include <numeric>

#include "cubefold/mpi/error.hpp"

using cubefold::mpi::check;

namespace {

/// Indices of the part's points of largest magnitude, descending.
std::vector<std::size_t> strongest_of_part(Points part, std::size_t count) {
  std::vector<std::size_t> indices(part.size());
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  const auto end = indices.begin() + static_cast<std::ptrdiff_t>(std::min(count, indices.size()));
  std::partial_sort(indices.begin(), end, indices.end(),
                    [&](std::size_t a, std::size_t b) { return std::norm(part[a]) > std::norm(part[b]); });
  indices.erase(end, indices.end());
  return indices;
}

struct Candidate {
  double magnitude;
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
  std::size_t taken = 0;
  std::vector<Bin> bins;
  while (bins.size() < std::min(count, points.point_count())) {
    const bool has_more = taken < own.size();
    Candidate best{has_more ? std::abs(part[own[taken]]) : -1.0, static_cast<int>(label(rank))};
    check(MPI_Allreduce(MPI_IN_PLACE, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm), "MPI_Allreduce");
    Bin bin{0, best.magnitude};
    if (best.process == static_cast<int>(label(rank))) bin.index = points.point_at(rank, own[taken++]);
    check(MPI_Bcast(&bin, sizeof bin, MPI_BYTE, best.process, comm), "MPI_Bcast");
    bins.push_back(bin);
  }
  return bins;
}
