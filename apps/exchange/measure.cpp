#include "exchange/measure.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/complete_exchange.hpp"
#include "cubefold/mpi/count.hpp"
#include "cubefold/mpi/error.hpp"
#include "exchange/algorithm.hpp"
#include "timing/test_data.hpp"

using cubefold::mpi::together;
using cubefold::timing::RunOptions;

namespace {

/// Send and receive buffers of all blocks, filled and checked by name.
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
    algorithm.exchange(sent_.data(), received_.data(), cubefold::mpi::message_bytes(1, block_bytes_),
                       algorithm.comm.get());
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

/// Time of the slowest process; data checked on all.
double timed_run(const Algorithm& algorithm, TestBlocks& blocks, std::size_t block_bytes, std::uint32_t run) {
  const MPI_Comm comm = algorithm.comm.get();
  int rank = 0;
  cubefold::mpi::check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  blocks.prepare(block_bytes, static_cast<std::uint32_t>(rank), run);
  const double seconds = cubefold::timing::time_of_slowest(comm, [&] { blocks.exchange(algorithm); });
  together(comm, [&] { blocks.require_right(algorithm, static_cast<std::uint32_t>(rank), run); });
  return seconds;
}

cubefold::NetworkRules network_from_environment() {
  return {std::getenv("CF_ALLPORT") ? cubefold::Ports::all : cubefold::Ports::one, cubefold::Tie::balanced};
}
cubefold::mpi::RunRules rules_from_environment(const cubefold::mpi::VirtualComm& comm, const cubefold::ExchangeMethod& method) {
  cubefold::mpi::RunRules rules;
  if (const char* p = std::getenv("CF_PIECE")) rules.piece_bytes = std::stoul(p);
  if (const char* p = std::getenv("CF_BEHIND")) rules.steps_behind = std::stoul(p);
  if (const char* p = std::getenv("CF_TAU")) {
    rules.pacing = cubefold::Pacing::clock;
    rules.times.tau_seconds_per_byte = std::stod(p);
    rules.times.gap_seconds = std::stod(std::getenv("CF_GAP"));
    const auto part = exchange_part(method, comm.placement(), network_from_environment(), comm.rank());
    double blocks = 1;
    for (const auto& step : part.steps)
      for (const auto& message : step) blocks = std::max(blocks, static_cast<double>(message.blocks.size()));
    rules.times.stretches = {{part.steps.size(), blocks}};
  }
  return rules;
}

/// One by one, as each is collective.
OurExchanges exchanges_of(const cubefold::mpi::VirtualComm& comm,
                          const std::vector<cubefold::ExchangeMethod>& algorithms) {
  OurExchanges exchanges;
  for (const auto& algorithm : algorithms) {
    exchanges.emplace_back(algorithm, std::make_unique<cubefold::mpi::CompleteExchange>(comm, algorithm, network_from_environment(), rules_from_environment(comm, algorithm)));
  }
  return exchanges;
}

void require_block_sizes(const OurExchanges& exchanges, const std::vector<std::size_t>& sizes) {
  for (const auto block_bytes : sizes) {
    for (const auto& [algorithm, exchange] : exchanges) exchange->require_block(block_bytes);
    cubefold::mpi::message_bytes(1, block_bytes);  // MPI_Alltoall counts them by an int
  }
}

/// In the order of block sizes, then of algorithms: case n is of algorithm n modulo their number.
std::vector<ExchangeCase> cases_of(const std::vector<std::size_t>& block_sizes,
                                   const std::vector<Algorithm>& algorithms) {
  std::vector<ExchangeCase> cases;
  for (const auto block_bytes : block_sizes) {
    for (const Algorithm& algorithm : algorithms)
      cases.push_back({block_bytes, algorithm.name, algorithm.ours});
  }
  return cases;
}

}  // namespace

Comparison compare(const cubefold::mpi::VirtualComm& comm,
                   const std::vector<cubefold::ExchangeMethod>& ours, const std::vector<Rival>& rivals,
                   const RunOptions& options, cubefold::program::Progress& progress) {
  const auto exchanges = exchanges_of(comm, ours);
  std::optional<TestBlocks> blocks;
  together(comm.virtual_comm(), [&] {
    require_block_sizes(exchanges, options.block_sizes);
    blocks.emplace(comm.placement().rank_count(),
                   *std::max_element(options.block_sizes.begin(), options.block_sizes.end()));
  });
  const auto competitors = algorithms(comm, exchanges, rivals);
  const auto cases = cases_of(options.block_sizes, competitors);
  const auto run_case = [&](std::size_t number, std::uint32_t run) {
    const std::size_t block_bytes = cases[number].block_bytes;
    progress.show(fmt::format("block of {} bytes, {}: run {} of {}", block_bytes, cases[number].algorithm,
                              run + 1, cases.size() * static_cast<std::size_t>(options.repetitions + 1)));
    return timed_run(competitors[number % competitors.size()], *blocks, block_bytes, run);
  };
  return {cases, measure_shuffled(cases.size(), options, run_case)};
}
