#include "exchange/measure.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/complete_exchange.hpp"
#include "cubefold/mpi/count.hpp"
#include "cubefold/mpi/error.hpp"
#include "exchange/pattern.hpp"

using cubefold::mpi::check;

namespace {

/// An all-to-all over a communicator whose ranks name the blocks.
struct Algorithm {
  std::string name;
  MPI_Comm comm;
  std::function<void(const std::byte* send, std::byte* receive, int block_bytes)> exchange;
};

/// Send and receive buffers of all blocks of one size, filled and checked by name.
class TestBlocks {
 public:
  explicit TestBlocks(std::size_t process_count) : process_count_(process_count) {}

  void resize(std::size_t block_bytes) {
    block_bytes_ = block_bytes;
    sent_.resize(process_count_ * block_bytes);
    received_.resize(process_count_ * block_bytes);
  }

  void run(const Algorithm& algorithm) {
    algorithm.exchange(sent_.data(), received_.data(), cubefold::mpi::message_bytes(1, block_bytes_));
  }

  void prepare(std::uint32_t rank, std::uint32_t repetition) {
    std::fill(received_.begin(), received_.end(), std::byte{0xee});
    for (std::uint32_t j = 0; j < process_count_; ++j) fill(block(sent_, j), {rank, j, repetition});
  }

  void require_right(const Algorithm& algorithm, std::uint32_t rank, std::uint32_t repetition) {
    for (std::uint32_t i = 0; i < process_count_; ++i) {
      if (const auto wrong = first_wrong_byte(block(received_, i), {i, rank, repetition})) {
        throw std::runtime_error(fmt::format("{}: wrong data: byte {} of block {} -> {}, repetition {}",
                                             algorithm.name, *wrong, i, rank, repetition));
      }
    }
  }

 private:
  std::span<std::byte> block(std::vector<std::byte>& blocks, std::size_t index) const {
    return {blocks.data() + index * block_bytes_, block_bytes_};
  }

  std::size_t process_count_;
  std::size_t block_bytes_ = 0;
  std::vector<std::byte> sent_;
  std::vector<std::byte> received_;
};

/// Time of the slowest process; data checked on all.
double timed_run(const Algorithm& algorithm, TestBlocks& blocks, std::uint32_t repetition) {
  int rank = 0;
  check(MPI_Comm_rank(algorithm.comm, &rank), "MPI_Comm_rank");
  blocks.prepare(static_cast<std::uint32_t>(rank), repetition);
  check(MPI_Barrier(algorithm.comm), "MPI_Barrier");
  const double start = MPI_Wtime();
  blocks.run(algorithm);
  double seconds = MPI_Wtime() - start;
  check(MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, algorithm.comm), "MPI_Allreduce");
  cubefold::mpi::together(
      algorithm.comm, [&] { blocks.require_right(algorithm, static_cast<std::uint32_t>(rank), repetition); });
  return seconds;
}

}  // namespace

double Measurement::median() const {
  const std::size_t middle = seconds.size() / 2;
  return seconds.size() % 2 == 1 ? seconds[middle] : (seconds[middle - 1] + seconds[middle]) / 2;
}

std::vector<Measurement> measure(const cubefold::mpi::VirtualComm& comm,
                                 const std::vector<std::size_t>& block_sizes, int repetitions,
                                 cubefold::program::Progress& progress) {
  cubefold::mpi::CompleteExchange exchange(comm);
  cubefold::mpi::together(comm.virtual_comm(), [&] {
    for (const auto block_bytes : block_sizes) {
      exchange.require_block(block_bytes);
      cubefold::mpi::message_bytes(1, block_bytes);  // MPI_Alltoall counts them by an int
    }
  });

  const std::vector<Algorithm> algorithms{
      {"CC-cube", comm.virtual_comm(),
       [&](const std::byte* send, std::byte* receive, int bytes) {
         exchange.run(send, bytes, MPI_BYTE, receive, bytes, MPI_BYTE);
       }},
      {"MPI_Alltoall", comm.cart_comm(), [&](const std::byte* send, std::byte* receive, int bytes) {
         check(MPI_Alltoall(send, bytes, MPI_BYTE, receive, bytes, MPI_BYTE, comm.cart_comm()),
               "MPI_Alltoall");
       }}};

  std::vector<Measurement> result;
  TestBlocks blocks(comm.placement().rank_count());
  for (const auto block_bytes : block_sizes) {
    cubefold::mpi::together(comm.virtual_comm(), [&] { blocks.resize(block_bytes); });
    const std::size_t first = result.size();
    for (const Algorithm& algorithm : algorithms) result.push_back({block_bytes, algorithm.name, {}});
    for (int repetition = 0; repetition <= repetitions; ++repetition) {
      progress.show(
          fmt::format("block of {} bytes: repetition {} of {}", block_bytes, repetition, repetitions));
      for (std::size_t a = 0; a < algorithms.size(); ++a) {
        const double seconds = timed_run(algorithms[a], blocks, static_cast<std::uint32_t>(repetition));
        if (repetition > 0) result[first + a].seconds.push_back(seconds);
      }
    }
  }
  for (Measurement& measurement : result) std::sort(measurement.seconds.begin(), measurement.seconds.end());
  return result;
}
