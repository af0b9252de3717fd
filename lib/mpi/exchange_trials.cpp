#include "exchange_trials.hpp"

#include <algorithm>

#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/count.hpp"
#include "cubefold/mpi/error.hpp"

namespace cubefold::mpi {

namespace {

struct Blocks {
  std::vector<std::byte> sent;
  std::vector<std::byte> received;
  int block_bytes = 0;
};

double seconds_of(CompleteExchange& exchange, Blocks& blocks, MPI_Comm comm) {
  check(MPI_Barrier(comm), "MPI_Barrier");
  const double start = MPI_Wtime();
  exchange.run(blocks.sent.data(), blocks.block_bytes, MPI_BYTE, blocks.received.data(), blocks.block_bytes,
               MPI_BYTE);
  double seconds = MPI_Wtime() - start;
  check(MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, comm), "MPI_Allreduce");
  return seconds;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

std::vector<double> trial_seconds(const std::vector<CompleteExchange*>& exchanges, std::size_t block_bytes,
                                  int trials, MPI_Comm comm) {
  Blocks blocks;
  together(comm, [&] {
    const std::size_t bytes = exchanges.front()->exchanger().executor->program().rank_count * block_bytes;
    blocks = {std::vector<std::byte>(bytes), std::vector<std::byte>(bytes), message_bytes(1, block_bytes)};
  });
  std::vector<std::vector<double>> seconds(exchanges.size());
  for (int trial = -1; trial < trials; ++trial) {
    for (std::size_t i = 0; i < exchanges.size(); ++i) {
      const double once = seconds_of(*exchanges[i], blocks, comm);
      if (trial >= 0) seconds[i].push_back(once);
    }
  }
  std::vector<double> medians;
  for (auto& times : seconds) medians.push_back(median(std::move(times)));
  return medians;
}

}  // namespace cubefold::mpi
