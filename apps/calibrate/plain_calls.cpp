#include "calibrate/plain_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cubefold/mpi/error.hpp"
#include "mpi/agreement.hpp"
#include "mpi/alltoall_plan.hpp"
#include "mpi/processes.hpp"
#include "program/program.hpp"
#include "timing/runs.hpp"

namespace {

using cubefold::Backend;
using cubefold::PlainAllreduceTime;
using cubefold::PlainExchangeTimes;
using cubefold::mpi::AlltoallPlan;
using cubefold::program::size_text;

constexpr std::array<std::size_t, 4> block_sizes{16, 256, 2048, 16384};
constexpr std::array<std::size_t, 5> vector_sizes{256, 2048, 16384, 131072, 1048576};

/// No further call of a size begins once those of this size have taken so long together, and a size is left out if one
/// call is expected to take longer. Without limits the calibration of a network that loses packets would never end: the
/// timeouts of TCP grow to minutes.
constexpr double most_seconds = 10;

/// Returns the median time of calls. The first one opens connections, and counts only if it takes most_seconds.
double median_seconds(const Bench& bench, const std::string& what, const std::function<void()>& call) {
  cubefold::timing::Times times;
  double spent = 0;
  for (int i = 0; i <= bench.effort.repetitions && spent < most_seconds; ++i) {
    bench.progress.show(what);
    const double seconds = cubefold::timing::time_of_slowest(bench.comm, call);
    spent += seconds;
    if (i > 0 || spent >= most_seconds) times.seconds.push_back(seconds);
  }
  return times.median();
}

double exchange_seconds(const Bench& bench, AlltoallPlan& plan, std::size_t block_bytes) {
  std::vector<std::byte> sent;
  std::vector<std::byte> received;
  cubefold::mpi::agree_on_outcome(bench.comm, [&] {
    sent.resize(cubefold::mpi::process_count(bench.comm) * block_bytes);
    received.resize(sent.size());
  });
  const auto bytes = static_cast<int>(block_bytes);
  return median_seconds(bench, fmt::format("exchanges of {}", size_text(block_bytes)), [&] {
    plan.run({sent.data(), bytes, MPI_BYTE, received.data(), bytes, MPI_BYTE});
  });
}

double allreduce_seconds(const Bench& bench, std::size_t vector_bytes) {
  std::vector<double> sent;
  std::vector<double> sums;
  cubefold::mpi::agree_on_outcome(bench.comm, [&] {
    sent.resize(vector_bytes / sizeof(double));
    sums.resize(sent.size());
  });
  return median_seconds(bench, fmt::format("allreduce of {}", size_text(vector_bytes)), [&] {
    cubefold::mpi::check(MPI_Allreduce(sent.data(), sums.data(), static_cast<int>(sent.size()), MPI_DOUBLE,
                                       MPI_SUM, bench.comm),
                         "MPI_Allreduce");
  });
}

/// The size of calls and the time of the slowest.
struct Slowest {
  std::size_t bytes;
  double seconds;
};

Slowest slowest_of(const PlainExchangeTimes& times) {
  return {times.block_bytes, std::max(times.alltoall_seconds, times.linear_seconds)};
}

Slowest slowest_of(const PlainAllreduceTime& time) {
  return {time.vector_bytes, time.seconds};
}

/// Returns how long a call of this size takes, on the line through two sizes.
double expected_seconds(const Slowest& before, const Slowest& last, std::size_t bytes) {
  const double slope = (last.seconds - before.seconds) / static_cast<double>(last.bytes - before.bytes);
  return last.seconds + std::max(slope, 0.0) * static_cast<double>(bytes - last.bytes);
}

/// Adds what measure(bytes) returns for all sizes whose calls are not expected to take longer than most_seconds.
template <typename Times, std::size_t count, typename Measure>
void measure_sizes(const std::array<std::size_t, count>& sizes, std::vector<Times>& times, Measure measure) {
  for (const std::size_t bytes : sizes) {
    if (times.size() >= 2) {
      const Slowest before = slowest_of(times[times.size() - 2]);
      if (expected_seconds(before, slowest_of(times.back()), bytes) > most_seconds) break;
    }
    times.push_back(measure(bytes));
  }
}

/// Prints which sizes were left out.
template <std::size_t count>
void print_left_out(const char* what, const std::array<std::size_t, count>& sizes, std::size_t measured) {
  if (measured == 0 || measured == count) return;
  fmt::print("{} of {:<12} left out with longer ones: a call may take more than {} s\n", what,
             size_text(sizes.at(measured)), most_seconds);
}

}  // namespace

void measure_plain_calls(const Bench& bench, const cubefold::mpi::VirtualComm& comm,
                         cubefold::Machine& machine) {
  const cubefold::ExchangeMethod method{cubefold::ExchangeAlgorithm::linear, {}};
  const auto alltoall = AlltoallPlan::make(comm, {.method = method, .backend = Backend::mpi});
  const auto linear = AlltoallPlan::make(comm, {.method = method});
  measure_sizes(block_sizes, machine.plain_exchanges, [&](std::size_t bytes) {
    const double alltoall_seconds = exchange_seconds(bench, *alltoall, bytes);
    return PlainExchangeTimes{bytes, alltoall_seconds, exchange_seconds(bench, *linear, bytes)};
  });
  measure_sizes(vector_sizes, machine.plain_allreduces, [&](std::size_t bytes) {
    return PlainAllreduceTime{bytes, allreduce_seconds(bench, bytes)};
  });
}

void print_plain_calls(const cubefold::Machine& machine) {
  for (const auto& [block_bytes, alltoall_seconds, linear_seconds] : machine.plain_exchanges) {
    fmt::print("blocks of {:<12}{:>12.3f} ms by MPI_Alltoall, {:.3f} ms by linear\n", size_text(block_bytes),
               alltoall_seconds * 1e3, linear_seconds * 1e3);
  }
  print_left_out("blocks", block_sizes, machine.plain_exchanges.size());
  for (const auto& [vector_bytes, seconds] : machine.plain_allreduces)
    fmt::print("vectors of {:<11}{:>12.3f} ms by MPI_Allreduce\n", size_text(vector_bytes), seconds * 1e3);
  print_left_out("vectors", vector_sizes, machine.plain_allreduces.size());
}
