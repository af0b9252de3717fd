#include "alltoall_trials.hpp"

#include <algorithm>
#include <array>

#include "agreement.hpp"
#include "cubefold/mpi/error.hpp"

namespace cubefold::mpi {

namespace {

constexpr double enough_seconds = 0.25;
constexpr int most_of_short = 25;

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

void Trials::take_memory(std::size_t block_bytes, int least_count) {
  block_bytes_ = message_bytes(1, block_bytes);
  least_count_ = least_count;
  const std::size_t rank_count = exchanges.front()->program().rank_count;
  for (const auto& exchange : exchanges) exchange->reserve(block_bytes);
  sent_.resize(rank_count * block_bytes);
  received_.resize(rank_count * block_bytes);
  times_.resize(exchanges.size());
  for (auto& times : times_) times.reserve(static_cast<std::size_t>(std::max(least_count, most_of_short)));
}

double Trials::seconds_of(AlltoallPlan& exchange, MPI_Comm comm) {
  check(MPI_Barrier(comm), "MPI_Barrier");
  const double start = MPI_Wtime();
  const auto failure = failure_of([&] {
    exchange.run({sent_.data(), block_bytes_, MPI_BYTE, received_.data(), block_bytes_, MPI_BYTE});
  });
  std::array<double, 2> slowest{MPI_Wtime() - start, failure ? 1.0 : 0.0};
  check(MPI_Allreduce(MPI_IN_PLACE, slowest.data(), 2, MPI_DOUBLE, MPI_MAX, comm), "MPI_Allreduce");
  if (slowest[1] > 0) agree(comm, failure);
  return slowest[0];
}

void Trials::run(MPI_Comm comm) {
  for (const auto& exchange : exchanges) seconds_of(*exchange, comm);
  double total = 0;
  for (; count_ < least_count_ || (total < enough_seconds && count_ < most_of_short); ++count_) {
    for (std::size_t i = 0; i < exchanges.size(); ++i) {
      times_[i].push_back(seconds_of(*exchanges[i], comm));
      total += times_[i].back();
    }
  }
}

std::vector<double> Trials::seconds() const {
  std::vector<double> medians;
  for (const auto& times : times_) medians.push_back(median(times));
  return medians;
}

}  // namespace cubefold::mpi
