#include "exchange/measure.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/error.hpp"
#include "timing/test_data.hpp"

using cubefold::mpi::collective_try;
using cubefold::timing::RunOptions;

namespace {

/// The send and receive buffers of all blocks, which are filled and checked by block name.
class TestBlocks {
 public:
  TestBlocks(std::size_t process_count, std::size_t largest_block_bytes)
      : process_count_(process_count),
        sent_(process_count * largest_block_bytes),
        received_(process_count * largest_block_bytes) {}

  void prepare(std::size_t block_bytes, std::uint32_t rank, std::uint32_t run) {
    block_bytes_ = block_bytes;
    for (std::uint32_t i = 0; i < process_count_; ++i) {
      cubefold::timing::fill(block(sent_, i), {rank, i, run});
      std::ranges::fill(block(received_, i), std::byte{0xee});
    }
  }

  void exchange(const Algorithm& algorithm) {
    algorithm.exchange(sent_.data(), received_.data(), block_bytes_);
  }

  void require_right(const Algorithm& algorithm, std::uint32_t rank, std::uint32_t run) {
    for (std::uint32_t i = 0; i < process_count_; ++i) {
      if (const auto wrong = cubefold::timing::first_wrong_byte(block(received_, i), {i, rank, run})) {
        throw std::runtime_error(fmt::format("{}: wrong data: byte {} of block {} -> {}, run {}",
                                             algorithm.name, *wrong, i, rank, run));
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

/// Returns the time of the slowest process, and checks the data on all processes.
double timed_run(const Algorithm& algorithm, TestBlocks& blocks, std::size_t block_bytes, std::uint32_t run) {
  MPI_Comm comm = algorithm.comm->get();
  int rank = 0;
  cubefold::mpi::check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  blocks.prepare(block_bytes, static_cast<std::uint32_t>(rank), run);
  const double seconds = cubefold::timing::time_of_slowest(comm, [&] { blocks.exchange(algorithm); });
  collective_try(comm, [&] { blocks.require_right(algorithm, static_cast<std::uint32_t>(rank), run); });
  return seconds;
}

}  // namespace

cubefold::timing::Measured measure(const cubefold::mpi::VirtualComm& comm,
                                   const std::vector<ExchangeCase>& cases,
                                   const std::vector<Algorithm>& algorithms, const RunOptions& options,
                                   cubefold::program::Progress& progress) {
  std::optional<TestBlocks> blocks;
  collective_try(comm.virtual_comm(), [&] {
    blocks.emplace(comm.placement().rank_count(),
                   *std::max_element(options.block_sizes.begin(), options.block_sizes.end()));
  });
  const auto run_case = [&](std::size_t number, std::uint32_t run) {
    const std::size_t block_bytes = cases[number].block_bytes;
    progress.show(fmt::format("block of {} bytes, {}: run {} of {}", block_bytes, cases[number].algorithm,
                              run + 1, cases.size() * static_cast<std::size_t>(options.repetitions + 1)));
    return timed_run(algorithms[number], *blocks, block_bytes, run);
  };
  return measure_shuffled(comm.virtual_comm(), cases.size(), options, run_case);
}
