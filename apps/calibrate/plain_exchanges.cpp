#include "calibrate/plain_exchanges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>

#include "mpi/agreement.hpp"
#include "mpi/alltoall_plan.hpp"
#include "mpi/processes.hpp"
#include "program/program.hpp"
#include "timing/runs.hpp"

namespace {

using cubefold::Backend;
using cubefold::mpi::AlltoallPlan;

constexpr std::array<std::size_t, 4> block_sizes{16, 256, 2048, 16384};

/// No further exchange of a size begins once those of this size have taken so long together, and a size is left out if
/// one exchange is expected to take longer. Without limits the calibration of a network that loses packets would never
/// end: the timeouts of TCP grow to minutes.
constexpr double most_seconds = 10;

/// Returns the median time of exchanges of blocks of zeros. The first one opens connections, and counts only if it
/// takes most_seconds.
double exchange_seconds(const Bench& bench, AlltoallPlan& plan, std::size_t block_bytes) {
  const std::size_t rank_count = cubefold::mpi::process_count(bench.comm);
  std::vector<std::byte> sent;
  std::vector<std::byte> received;
  cubefold::mpi::agree_on_outcome(bench.comm, [&] {
    sent.resize(rank_count * block_bytes);
    received.resize(sent.size());
  });
  const auto bytes = static_cast<int>(block_bytes);
  cubefold::timing::Times times;
  double spent = 0;
  for (int i = 0; i <= bench.effort.repetitions && spent < most_seconds; ++i) {
    bench.progress.show(fmt::format("exchanges of {}", cubefold::program::size_text(block_bytes)));
    const double seconds = cubefold::timing::time_of_slowest(bench.comm, [&] {
      plan.run({sent.data(), bytes, MPI_BYTE, received.data(), bytes, MPI_BYTE});
    });
    spent += seconds;
    if (i > 0 || spent >= most_seconds) times.seconds.push_back(seconds);
  }
  return times.median();
}

/// Returns how long an exchange of blocks of this size takes, on the line through the last two sizes.
double expected_seconds(const std::vector<cubefold::PlainExchangeTimes>& times, std::size_t block_bytes) {
  const auto seconds = [](const cubefold::PlainExchangeTimes& each) {
    return std::max(each.alltoall_seconds, each.linear_seconds);
  };
  const auto& last = times.back();
  const auto& before = times[times.size() - 2];
  const double slope =
      (seconds(last) - seconds(before)) / static_cast<double>(last.block_bytes - before.block_bytes);
  return seconds(last) + std::max(slope, 0.0) * static_cast<double>(block_bytes - last.block_bytes);
}

}  // namespace

std::vector<cubefold::PlainExchangeTimes> measured_plain_exchanges(const Bench& bench,
                                                                   const cubefold::mpi::VirtualComm& comm) {
  const cubefold::ExchangeMethod method{cubefold::ExchangeAlgorithm::linear, {}};
  const auto alltoall = AlltoallPlan::make(comm, {.method = method, .backend = Backend::mpi});
  const auto linear = AlltoallPlan::make(comm, {.method = method});
  std::vector<cubefold::PlainExchangeTimes> times;
  for (const std::size_t block_bytes : block_sizes) {
    if (times.size() >= 2 && expected_seconds(times, block_bytes) > most_seconds) break;
    const double alltoall_seconds = exchange_seconds(bench, *alltoall, block_bytes);
    times.push_back({block_bytes, alltoall_seconds, exchange_seconds(bench, *linear, block_bytes)});
  }
  return times;
}

void print_plain_exchanges(const cubefold::Machine& machine) {
  for (const auto& [block_bytes, alltoall_seconds, linear_seconds] : machine.plain_exchanges) {
    fmt::print("blocks of {:<12}{:>12.3f} ms by MPI_Alltoall, {:.3f} ms by linear\n",
               cubefold::program::size_text(block_bytes), alltoall_seconds * 1e3, linear_seconds * 1e3);
  }
  const std::size_t measured = machine.plain_exchanges.size();
  if (measured == 0 || measured == block_sizes.size()) return;
  fmt::print("blocks of {:<12} left out with longer ones: an exchange may take more than {} s\n",
             cubefold::program::size_text(block_sizes.at(measured)), most_seconds);
}
