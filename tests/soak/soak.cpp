// Exchanges blocks through the C interface for as long as is asked for, compares every number, and watches the memory.
// ./dev soak runs it for half an hour, ./dev tsan with several threads, and ./dev test for a second.

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "soak/forms.hpp"
#include "support/leaks.h"
#include "support/several_hosts.hpp"

using namespace cubefold::soak;  // NOLINT(google-build-using-namespace): all of this file is about it

namespace {

struct Options {
  std::uint64_t exchanges = 20'000;        ///< of each thread
  std::uint64_t exchanges_a_handle = 500;  ///< after which a handle is freed and another is made
  double seconds = 1e9;                    ///< after which the run ends in any case
  std::uint64_t seed = 1;
  int threads = 1;
  double growth_mib = 8;  ///< by which a process may grow after a quarter of the run
};

/// The exchanges of one thread, in all forms.
class Soak {
 public:
  /// All processes make it and run it with the same options and thread number.
  Soak(MPI_Comm all, const Options& options, int thread)
      : all_(all), options_(options), choices_(options.seed + 1'000 * at(thread)), is_shown_(thread == 0) {
    int rank = 0;
    MPI_Comm_rank(all, &rank);
    is_shown_ = is_shown_ && rank == 0;
    for (auto& handle : handles_) handle = made();
  }

  /// Returns by how many MiB the memory of a process has grown since a quarter of the run.
  double run() {
    while (!is_over()) {
      if (done_ % options_.exchanges_a_handle == 0) replace(*handles_.begin());
      exchange_on(*handles_[at(choices_.between(0, handle_count - 1))], choices_, done_,
                  options_.threads > 1);
      ++done_;
    }
    for (auto& handle : handles_) handle->free();
    return memory_mib_ - memory_at_a_quarter_;
  }

 private:
  static constexpr int handle_count = 3;

  std::unique_ptr<Handle> made() {
    if (options_.threads == 1) set_drawn_method(choices_);
    ++handles_made_;
    return std::make_unique<Handle>(all_, choices_);
  }

  void replace(std::unique_ptr<Handle>& handle) {
    handle->free();
    handle = made();
    std::rotate(handles_.begin(), handles_.begin() + 1, handles_.end());
  }

  /// All processes agree on the time and on the largest memory after every 1000 exchanges.
  bool is_over() {
    if (done_ % 1'000 != 0 && done_ < options_.exchanges) return false;
    std::array<double, 2> now{MPI_Wtime() - start_, resident_mib()};
    MPI_Allreduce(MPI_IN_PLACE, now.data(), 2, MPI_DOUBLE, MPI_MAX, all_);
    const auto [seconds, mib] = now;
    memory_mib_ = mib;
    const double part = std::max(static_cast<double>(done_) / static_cast<double>(options_.exchanges),
                                 seconds / options_.seconds);
    if (part <= 0.25) memory_at_a_quarter_ = mib;
    if (is_shown_ && (done_ == 0 || part >= 1 || seconds >= shown_ + 60)) show(seconds);
    return part >= 1;
  }

  void show(double seconds) {
    if (done_ == 0)
      fmt::print("{:>12}{:>10}{:>10}{:>16}\n", "exchanges", "handles", "seconds", "MiB a process");
    fmt::print("{:12}{:10}{:10.1f}{:16.1f}\n", done_, handles_made_, seconds, memory_mib_);
    std::fflush(stdout);
    shown_ = seconds;
  }

  static double resident_mib() {
    std::ifstream statm("/proc/self/statm");
    double pages = 0;
    statm >> pages >> pages;
    return pages * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
  }

  MPI_Comm all_;
  Options options_;
  Choices choices_;
  bool is_shown_;
  std::array<std::unique_ptr<Handle>, handle_count> handles_;
  std::uint64_t done_ = 0;
  std::uint64_t handles_made_ = 0;
  double start_ = MPI_Wtime();
  double shown_ = 0;
  double memory_mib_ = 0;
  double memory_at_a_quarter_ = 0;
};

/// Open MPI 4.1.4 sets up its topologies in the first call that makes a Cartesian communicator, and crashes if several
/// threads make that call at once.
void make_first_handle() {
  cubefold_comm handle = nullptr;
  cubefold_comm_create(MPI_COMM_SELF, "line:1", "identity", &handle);
  cubefold_comm_free(&handle);
}

/// Runs the exchanges of all threads of this process. A mistake ends all processes.
bool run(const Options& options) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const cubefold::mpi::SeveralHosts hosts(options.threads > 1 ? 0 : rank);
  std::vector<MPI_Comm> comms(at(options.threads));
  for (MPI_Comm& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  if (options.threads > 1) make_first_handle();
  double growth = 0;
  const auto soak = [&](int thread) {
    try {
      const double grown = Soak(comms[at(thread)], options, thread).run();
      if (thread == 0) growth = grown;
    } catch (const std::exception& error) {
      fmt::print(stderr, "soak: {}\n", error.what());
      MPI_Abort(MPI_COMM_WORLD, 1);
    }
  };
  std::vector<std::thread> others;
  for (int thread = 1; thread < options.threads; ++thread) others.emplace_back(soak, thread);
  soak(0);
  for (std::thread& thread : others) thread.join();
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);

  const bool is_flat = growth <= options.growth_mib;
  if (!is_flat && rank == 0) {
    fmt::print(stderr,
               "soak: a process uses {:.1f} MiB more than after a quarter of the run; {} are allowed\n",
               growth, options.growth_mib);
  }
  return is_flat;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr std::uint64_t most = 1'000'000'000'000;
  Options options;
  CLI::App app(
      "Exchanges blocks in all forms of the C interface, compares every number, and watches the memory.");
  app.add_option("--exchanges", options.exchanges, "Number of exchanges of each thread")
      ->check(CLI::Range(std::uint64_t{1}, most))
      ->capture_default_str();
  app.add_option("--exchanges-a-handle", options.exchanges_a_handle, "After these, another handle is made")
      ->check(CLI::Range(std::uint64_t{1}, most))
      ->capture_default_str();
  app.add_option("--seconds", options.seconds, "The run ends after this time in any case")
      ->check(CLI::Range(1e-3, 1e9));
  app.add_option("--seed", options.seed, "Seed of sizes, forms and handles")->capture_default_str();
  app.add_option("--threads", options.threads, "Threads of each process, with handles of their own")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  app.add_option("--growth", options.growth_mib, "MiB by which a process may grow after a quarter of the run")
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, options.threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  const bool has_threads = options.threads == 1 || provided == MPI_THREAD_MULTIPLE;
  if (!has_threads) fmt::print(stderr, "soak: this MPI has no MPI_THREAD_MULTIPLE\n");
  const bool is_right = has_threads && run(options);
  expect_no_leaks();
  MPI_Finalize();
  return is_right ? 0 : 1;
}
