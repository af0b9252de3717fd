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

TrialTimes trial_times(const std::vector<CompleteExchange*>& exchanges, std::size_t block_bytes,
                       const TrialEffort& effort, MPI_Comm comm) {
  Blocks blocks;
  together(comm, [&] {
    const std::size_t bytes = exchanges.front()->exchanger().executor->program().rank_count * block_bytes;
    blocks = {std::vector<std::byte>(bytes), std::vector<std::byte>(bytes), message_bytes(1, block_bytes)};
  });
  for (CompleteExchange* exchange : exchanges) seconds_of(*exchange, blocks, comm);

  std::vector<std::vector<double>> seconds(exchanges.size());
  double total = 0;
  int trials = 0;
  for (; trials < effort.least || (total < effort.enough_seconds && trials < effort.most_of_short);
       ++trials) {
    for (std::size_t i = 0; i < exchanges.size(); ++i) {
      seconds[i].push_back(seconds_of(*exchanges[i], blocks, comm));
      total += seconds[i].back();
    }
  }
  TrialTimes result{{}, trials};
  for (auto& times : seconds) result.seconds.push_back(median(std::move(times)));
  return result;
}

}  // namespace cubefold::mpi
