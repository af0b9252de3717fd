// Exchanges blocks through the C interface for as long as is asked for, compares every number, and watches the memory.
// ./dev soak runs it for hours, ./dev tsan with several threads, and ./dev test for a second.

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <exception>
#include <fstream>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "cubefold/cubefold.h"
#include "support/leaks.h"
#include "support/several_hosts.hpp"

namespace {

struct Options {
  std::uint64_t exchanges = 20'000;        ///< of each thread
  std::uint64_t exchanges_a_handle = 500;  ///< after which a handle is freed and another is made
  double seconds = 1e9;                    ///< after which the run ends in any case
  std::uint64_t seed = 1;
  int threads = 1;
  double growth_mib =
      8;  ///< what a process may use at the end of the run beyond what it used after a quarter
};

void check(int error, const char* call) {
  if (error != CUBEFOLD_SUCCESS) throw std::runtime_error(fmt::format("{}: {}", call, cubefold_last_error()));
}

/// Draws the choices that all processes have to make alike.
class Choices {
 public:
  explicit Choices(std::uint64_t seed) : generator_(seed) {}

  /// Returns a number of `first` to `last`.
  int between(int first, int last) {
    return first + static_cast<int>(generator_() % static_cast<std::uint64_t>(last - first + 1));
  }
  /// Returns how many numbers a block has: few in most exchanges, and many in one of a hundred.
  int count() { return between(0, 99) == 0 ? between(1'000, 10'000) : between(1, 64); }

 private:
  std::mt19937_64 generator_;
};

std::size_t at(int n) {
  return static_cast<std::size_t>(n);
}

/// The k-th number of the block from one rank to another. It is never negative.
int number(std::uint64_t exchange, int from, int to, int k) {
  return static_cast<int>((exchange * 2'654'435'761U + at(from) * 40'503U + at(to) * 2'057U + at(k)) &
                          0x7fffffff);
}

/// What a process sends or receives: a block for each rank, one behind the other.
struct Blocks {
  explicit Blocks(std::vector<int> block_counts) : counts(std::move(block_counts)) {
    int total = 0;
    for (const int count : counts) {
      offsets.push_back(total);
      total += count;
    }
    numbers.assign(at(total), -1);
  }
  int& operator()(int rank, int k) { return numbers[at(offsets[at(rank)] + k)]; }

  std::vector<int> counts;
  std::vector<int> offsets;
  std::vector<int> numbers;
};

struct Exchange {
  Exchange(std::uint64_t number_of_exchange, int own_rank, std::vector<int> sent_counts,
           std::vector<int> received_counts)
      : rank(own_rank), sent(std::move(sent_counts)), received(std::move(received_counts)) {
    fill(number_of_exchange);
  }
  Exchange(std::uint64_t number_of_exchange, int own_rank, int size, int count)
      : Exchange(number_of_exchange, own_rank, std::vector<int>(at(size), count),
                 std::vector<int>(at(size), count)) {}

  void fill(std::uint64_t number_of_exchange) {
    id = number_of_exchange;
    for (int to = 0; to < static_cast<int>(sent.counts.size()); ++to) {
      for (int k = 0; k < sent.counts[at(to)]; ++k) sent(to, k) = number(id, rank, to, k);
    }
  }

  /// Compares all numbers that should have arrived in `blocks`, and makes them wrong for the next exchange.
  void compare(const char* call, Blocks& blocks) const {
    for (int from = 0; from < static_cast<int>(blocks.counts.size()); ++from) {
      for (int k = 0; k < blocks.counts[at(from)]; ++k) {
        int& found = blocks(from, k);
        if (found != number(id, from, rank, k))
          throw std::runtime_error(
              fmt::format("{}: number {} of the block from rank {} to rank {} is wrong in exchange {}", call,
                          k, from, rank, id));
        found = -1;
      }
    }
  }
  void compare(const char* call) { compare(call, received); }

  std::uint64_t id = 0;
  int rank;
  Blocks sent;
  Blocks received;
  cubefold_request request = nullptr;
};

/// Returns a grid with this number of nodes.
std::string drawn_grid(int size, Choices& choices) {
  switch (choices.between(0, 2)) {
    case 0:
      return fmt::format("ring:{}", size);
    case 1:
      return fmt::format("line:{}", size);
    default:
      return size % 2 == 0 ? fmt::format("grid:{}wx2", size / 2) : fmt::format("hyperx:{}", size);
  }
}

/// Draws the exchange of the next handle. None is tuning: processes with one thread count as several hosts. The
/// environment is the same for all threads, so several threads leave it as it is.
void set_drawn_method(Choices& choices) {
  constexpr std::array methods{
      "", "", "mpi", "direct", "bruck:2", "linear", "shifted", "store-and-forward", "cc-cube"};
  setenv("CUBEFOLD_ALLTOALL", methods[at(choices.between(0, static_cast<int>(methods.size()) - 1))], 1);
}

/// A handle on all processes or on every second one, with a persistent request.
class Handle {
 public:
  Handle(MPI_Comm all, Choices& choices) {
    int rank_of_all = 0;
    MPI_Comm_rank(all, &rank_of_all);
    MPI_Comm_split(all, rank_of_all % choices.between(1, 2), 0, &comm_);
    MPI_Comm_size(comm_, &size);
    const std::string grid = drawn_grid(size, choices);
    const bool is_xor = choices.between(0, 1) == 1 && std::has_single_bit(static_cast<unsigned>(size));
    check(cubefold_comm_create(comm_, grid.c_str(), is_xor ? "xor" : "identity", &handle),
          "cubefold_comm_create");
    check(cubefold_v_get_pid(handle, &rank), "cubefold_v_get_pid");
    const int count = choices.count();
    persistent = std::make_unique<Exchange>(0, rank, size, count);
    check(cubefold_alltoall_init(persistent->sent.numbers.data(), count, MPI_INT,
                                 persistent->received.numbers.data(), count, MPI_INT, handle,
                                 &persistent->request),
          "cubefold_alltoall_init");
  }

  /// Frees the handle and its communicator. All processes call this function.
  void free() {
    if (is_under_way) end_persistent();
    check(cubefold_alltoall_free(&persistent->request), "cubefold_alltoall_free");
    check(cubefold_comm_free(&handle), "cubefold_comm_free");
    MPI_Comm_free(&comm_);
  }

  void end_persistent() {
    check(cubefold_wait(&persistent->request), "cubefold_wait");
    persistent->compare("cubefold_alltoall_start");
    is_under_way = false;
  }

  cubefold_comm handle = nullptr;
  int rank = 0;  ///< the virtual rank
  int size = 0;
  std::unique_ptr<Exchange> persistent;
  bool is_under_way = false;

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
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
      exchange_on(*handles_[at(choices_.between(0, handle_count - 1))]);
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

  void exchange_on(Handle& handle) {
    switch (choices_.between(0, 9)) {
      case 0:
        in_place(handle);
        break;
      case 1:
        unequal(handle);
        break;
      case 2:
        packets(handle);
        break;
      case 3:
        requests(handle);
        break;
      case 4:
        persistent(handle);
        break;
      case 5:
        messages(handle);
        break;
      default:
        blocking(handle);
    }
  }

  Exchange equal(const Handle& handle) { return {done_, handle.rank, handle.size, choices_.count()}; }

  void blocking(Handle& handle) {
    Exchange exchange = equal(handle);
    const int count = exchange.sent.counts[0];
    check(cubefold_alltoall(exchange.sent.numbers.data(), count, MPI_INT, exchange.received.numbers.data(),
                            count, MPI_INT, handle.handle),
          "cubefold_alltoall");
    exchange.compare("cubefold_alltoall");
  }

  void in_place(Handle& handle) {
    Exchange exchange = equal(handle);
    check(cubefold_alltoall(MPI_IN_PLACE, 0, MPI_INT, exchange.sent.numbers.data(), exchange.sent.counts[0],
                            MPI_INT, handle.handle),
          "cubefold_alltoall in place");
    exchange.compare("cubefold_alltoall in place", exchange.sent);
  }

  void unequal(Handle& handle) {
    const int base = choices_.count();
    std::vector<int> sent;
    std::vector<int> received;
    for (int other = 0; other < handle.size; ++other) {
      sent.push_back(base * (handle.rank + 2 * other) % 100);
      received.push_back(base * (other + 2 * handle.rank) % 100);
    }
    Exchange exchange(done_, handle.rank, std::move(sent), std::move(received));
    check(cubefold_alltoallv(exchange.sent.numbers.data(), exchange.sent.counts.data(),
                             exchange.sent.offsets.data(), MPI_INT, exchange.received.numbers.data(),
                             exchange.received.counts.data(), exchange.received.offsets.data(), MPI_INT,
                             handle.handle),
          "cubefold_alltoallv");
    exchange.compare("cubefold_alltoallv");
  }

  void packets(Handle& handle) {
    Exchange exchange = equal(handle);
    const auto produce = [](void* context, int to, std::size_t offset, std::size_t bytes, void* packet) {
      const auto* block = reinterpret_cast<const char*>(&static_cast<Exchange*>(context)->sent(to, 0));
      std::copy_n(block + offset, bytes, static_cast<char*>(packet));
    };
    const auto consume = [](void* context, int from, std::size_t offset, std::size_t bytes,
                            const void* packet) {
      auto* block = reinterpret_cast<char*>(&static_cast<Exchange*>(context)->received(from, 0));
      std::copy_n(static_cast<const char*>(packet), bytes, block + offset);
    };
    check(cubefold_alltoall_packets(sizeof(int) * at(exchange.sent.counts[0]), produce, consume, &exchange,
                                    handle.handle),
          "cubefold_alltoall_packets");
    exchange.compare("cubefold_alltoall_packets");
  }

  /// Three exchanges are under way at once. Where there are threads, another one waits for the first of them.
  void requests(Handle& handle) {
    std::vector<Exchange> exchanges;
    for (int i = 0; i < 3; ++i) exchanges.push_back(equal(handle));
    for (Exchange& exchange : exchanges) {
      const int count = exchange.sent.counts[0];
      check(cubefold_ialltoall(exchange.sent.numbers.data(), count, MPI_INT, exchange.received.numbers.data(),
                               count, MPI_INT, handle.handle, &exchange.request),
            "cubefold_ialltoall");
    }
    const auto wait = [](Exchange& exchange) {
      check(cubefold_wait(&exchange.request), "cubefold_wait");
      exchange.compare("cubefold_ialltoall");
    };
    std::exception_ptr failure;
    std::thread other;
    const bool has_other = options_.threads > 1;
    if (has_other) {
      other = std::thread([&] {
        try {
          wait(exchanges[0]);
        } catch (...) {
          failure = std::current_exception();
        }
      });
    }
    for (int is_over = 0; is_over == 0;)
      check(cubefold_test(&exchanges[2].request, &is_over), "cubefold_test");
    exchanges[2].compare("cubefold_ialltoall");
    wait(exchanges[1]);
    if (has_other) {
      other.join();
      if (failure) std::rethrow_exception(failure);
    } else {
      wait(exchanges[0]);
    }
  }

  /// A persistent exchange is under way while others begin and end.
  void persistent(Handle& handle) {
    if (handle.is_under_way) return handle.end_persistent();
    handle.persistent->fill(done_);
    check(cubefold_alltoall_start(handle.persistent->request), "cubefold_alltoall_start");
    handle.is_under_way = true;
  }

  /// Each rank sends its block to the rank some places further on.
  void messages(Handle& handle) {
    const int distance = choices_.between(0, handle.size - 1);
    const int to = (handle.rank + distance) % handle.size;
    const int from = (handle.rank + handle.size - distance) % handle.size;
    Exchange exchange = equal(handle);
    const int count = exchange.sent.counts[0];
    check(cubefold_v_sendreceive(&exchange.sent(to, 0), count, MPI_INT, to, 5, &exchange.received(from, 0),
                                 count, MPI_INT, from, 5, handle.handle, MPI_STATUS_IGNORE),
          "cubefold_v_sendreceive");
    for (int k = 0; k < count; ++k) {
      if (exchange.received(from, k) != number(done_, from, handle.rank, k))
        throw std::runtime_error(
            fmt::format("cubefold_v_sendreceive: number {} from rank {} is wrong", k, from));
    }
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

/// Runs the exchanges of all threads of this process. A mistake ends all processes.
bool run(const Options& options) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const cubefold::mpi::SeveralHosts hosts(options.threads > 1 ? 0 : rank);
  std::vector<MPI_Comm> comms(at(options.threads));
  for (MPI_Comm& comm : comms) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
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
  Options options;
  CLI::App app(
      "Exchanges blocks in all forms of the C interface, compares every number, and watches the memory.");
  app.add_option("--exchanges", options.exchanges, "Number of exchanges of each thread")
      ->capture_default_str();
  app.add_option("--exchanges-a-handle", options.exchanges_a_handle, "After these, another handle is made")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--seconds", options.seconds, "The run ends after this time in any case")
      ->check(CLI::PositiveNumber);
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
