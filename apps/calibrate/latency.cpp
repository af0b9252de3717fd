#include "calibrate/latency.hpp"

#include <algorithm>
#include <cstddef>

#include "calibrate/pairs.hpp"
#include "cubefold/mpi/error.hpp"
#include "timing/runs.hpp"

using cubefold::mpi::check;
using cubefold::timing::Times;

namespace {

constexpr int round_trips = 20;
constexpr int barriers = 10;
constexpr std::size_t most_pairs = 8;

void ping(MPI_Comm comm, int peer) {
  char byte = 0;
  for (int trip = 0; trip < round_trips; ++trip) {
    check(MPI_Send(&byte, 1, MPI_CHAR, peer, 0, comm), "MPI_Send");
    check(MPI_Recv(&byte, 1, MPI_CHAR, peer, 0, comm, MPI_STATUS_IGNORE), "MPI_Recv");
  }
}

void pong(MPI_Comm comm, int peer) {
  char byte = 0;
  for (int trip = 0; trip < round_trips; ++trip) {
    check(MPI_Recv(&byte, 1, MPI_CHAR, peer, 0, comm, MPI_STATUS_IGNORE), "MPI_Recv");
    check(MPI_Send(&byte, 1, MPI_CHAR, peer, 0, comm), "MPI_Send");
  }
}

/// Measures the time of one direction. All other processes wait meanwhile.
double one_way_seconds(MPI_Comm comm, const Pair& pair) {
  int rank = 0;
  check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  const int from = static_cast<int>(pair.from);
  const int to = static_cast<int>(pair.to);
  const double seconds = cubefold::timing::time_of_slowest(comm, [&] {
    if (rank == from) ping(comm, to);
    if (rank == to) pong(comm, from);
  });
  return seconds / (2 * round_trips);
}

/// Returns a few pairs of every axis, far apart.
std::vector<Pair> some_pairs(const cubefold::Grid& grid) {
  const std::vector<int> axes = axes_with_links(grid);
  const std::size_t wanted = std::max<std::size_t>(1, most_pairs / axes.size());
  std::vector<Pair> some;
  for (const int axis : axes) {
    const std::vector<Pair> all = pairs_of(grid, {axis, false, cubefold::Direction::positive});
    const std::size_t count = std::min(wanted, all.size());
    for (std::size_t i = 0; i < count; ++i) some.push_back(all[i * all.size() / count]);
  }
  return some;
}

}  // namespace

Estimate measured_alpha(const Bench& bench) {
  Times times;
  for (const Pair& pair : some_pairs(bench.grid)) {
    bench.progress.show("latency of a message");
    one_way_seconds(bench.comm, pair);  // the first message connects the two processes
    for (int i = 0; i < bench.effort.repetitions; ++i) {
      times.seconds.push_back(one_way_seconds(bench.comm, pair));
    }
  }
  return estimate_of(times);
}

Estimate measured_barrier(const Bench& bench) {
  Times times;
  for (int i = 0; i < 4 * bench.effort.repetitions; ++i) {
    bench.progress.show("barrier");
    const double seconds = cubefold::timing::time_of_slowest(bench.comm, [&] {
      for (int k = 0; k < barriers; ++k) check(MPI_Barrier(bench.comm), "MPI_Barrier");
    });
    times.seconds.push_back(seconds / barriers);
  }
  return estimate_of(times);
}
