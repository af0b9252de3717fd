#include "fft/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <complex>

#include "cubefold/mpi/error.hpp"
#include "mpi/agreement.hpp"
#include "mpi/processes.hpp"

using cubefold::mpi::check;
using cubefold::npy::NaturalOrder;

namespace cubefold::fft_program {

namespace {

/// Returns the magnitude by which bins are sorted. NaN cannot be compared, so it counts as 0.
double strength(const Bin& bin) {
  return std::isnan(bin.magnitude) ? 0 : bin.magnitude;
}

/// Returns the bins of largest magnitude in descending order. Its memory does not depend on the number of points.
template <typename T>
std::vector<Bin> strongest_of_part(const NaturalOrder& order, std::span<const T> part, std::size_t count) {
  const auto is_stronger = [](const Bin& a, const Bin& b) { return strength(a) > strength(b); };
  std::vector<Bin> heap;  // the weakest bin is in front
  order.own().for_each([&](std::size_t point, std::size_t place) {
    const Bin bin{point, static_cast<double>(std::abs(part[place]))};
    if (heap.size() == count) {
      if (!is_stronger(bin, heap.front())) return;
      std::pop_heap(heap.begin(), heap.end(), is_stronger);
      heap.pop_back();
    }
    heap.push_back(bin);
    std::push_heap(heap.begin(), heap.end(), is_stronger);
  });
  std::sort_heap(heap.begin(), heap.end(), is_stronger);
  return heap;
}

/// Holds a pair with the layout of MPI_DOUBLE_INT.
struct Candidate {
  double strength;
  int process;
};

}  // namespace

template <typename T>
double energy(const NaturalOrder& order, std::span<const T> part, std::optional<std::size_t> full_length) {
  double sum = 0;
  const std::size_t frequencies = full_length ? *full_length / 2 + 1 : 1;
  order.own().for_each([&](std::size_t point, std::size_t place) {
    const std::size_t k = point % frequencies;
    const bool stands_for_two = k != 0 && 2 * k != *full_length;
    sum += (stands_for_two ? 2 : 1) * std::norm(std::complex<double>(part[place]));
  });
  check(MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, order.comm()), "MPI_Allreduce");
  return sum;
}

template <typename T>
std::vector<Bin> strongest_bins(const NaturalOrder& order, std::size_t point_count, std::span<const T> part,
                                std::size_t count) {
  std::vector<Bin> own =
      mpi::agree_on_outcome(order.comm(), [&] { return strongest_of_part(order, part, count); });
  const int me = mpi::rank_in(order.comm());
  std::size_t taken = 0;
  std::vector<Bin> bins;
  while (bins.size() < std::min(count, point_count)) {
    Candidate best{taken < own.size() ? strength(own[taken]) : -1.0, me};
    check(MPI_Allreduce(MPI_IN_PLACE, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, order.comm()), "MPI_Allreduce");
    Bin bin{};
    if (best.process == me) bin = own[taken++];
    check(MPI_Bcast(&bin, sizeof bin, MPI_BYTE, best.process, order.comm()), "MPI_Bcast");
    bins.push_back(bin);
  }
  return bins;
}

template double energy(const NaturalOrder&, std::span<const float>, std::optional<std::size_t>);
template double energy(const NaturalOrder&, std::span<const double>, std::optional<std::size_t>);
template double energy(const NaturalOrder&, std::span<const std::complex<float>>, std::optional<std::size_t>);
template double energy(const NaturalOrder&, std::span<const std::complex<double>>,
                       std::optional<std::size_t>);

template std::vector<Bin> strongest_bins(const NaturalOrder&, std::size_t, std::span<const float>,
                                         std::size_t);
template std::vector<Bin> strongest_bins(const NaturalOrder&, std::size_t, std::span<const double>,
                                         std::size_t);
template std::vector<Bin> strongest_bins(const NaturalOrder&, std::size_t,
                                         std::span<const std::complex<float>>, std::size_t);
template std::vector<Bin> strongest_bins(const NaturalOrder&, std::size_t,
                                         std::span<const std::complex<double>>, std::size_t);

}  // namespace cubefold::fft_program
