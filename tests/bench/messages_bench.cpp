// The goal is that cubefold_v_send and cubefold_v_recv take at most 2 % more than MPI_Send and MPI_Recv. Two processes
// run a ping-pong. One process alone sends messages to itself, and to MPI_PROC_NULL, which shows the cost of the calls.

#include <benchmark/benchmark.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "comparison.hpp"
#include "cubefold/cubefold.h"

namespace {

using cubefold::bench::Comparison;
using cubefold::bench::seconds_of;

constexpr int tag = 0;
constexpr int largest_bytes = 1 << 20;

void require(int code) {
  if (code == 0) return;  // MPI_SUCCESS and CUBEFOLD_SUCCESS
  std::fprintf(stderr, "messages_bench: code %d, '%s'\n", code, cubefold_last_error());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/// Describes one end of the messages. Both libraries use the same communicator and the same memory.
struct Line {
  cubefold_comm handle = nullptr;
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0;
  int peer = 0;  // peer of rank 1; rank 0 sets its own
  std::vector<std::byte> sent = std::vector<std::byte>(largest_bytes);
  std::vector<std::byte> received = std::vector<std::byte>(largest_bytes);
};

struct ThroughCubefold {
  static void send(Line& line, int bytes) {
    require(cubefold_v_send(line.sent.data(), bytes, MPI_BYTE, line.peer, tag, line.handle));
  }
  static void receive(Line& line, int bytes) {
    require(cubefold_v_recv(line.received.data(), bytes, MPI_BYTE, line.peer, tag, line.handle,
                            MPI_STATUS_IGNORE));
  }
  static void start_send(Line& line, int bytes, MPI_Request& request) {
    require(cubefold_v_isend(line.sent.data(), bytes, MPI_BYTE, line.peer, tag, line.handle, &request));
  }
};

struct ThroughMpi {
  static void send(Line& line, int bytes) {
    require(MPI_Send(line.sent.data(), bytes, MPI_BYTE, line.peer, tag, line.comm));
  }
  static void receive(Line& line, int bytes) {
    require(MPI_Recv(line.received.data(), bytes, MPI_BYTE, line.peer, tag, line.comm, MPI_STATUS_IGNORE));
  }
  static void start_send(Line& line, int bytes, MPI_Request& request) {
    require(MPI_Isend(line.sent.data(), bytes, MPI_BYTE, line.peer, tag, line.comm, &request));
  }
};

template <typename Through>
void send_to_itself(Line& line, int bytes) {
  MPI_Request request = MPI_REQUEST_NULL;
  Through::start_send(line, bytes, request);
  Through::receive(line, bytes);
  require(MPI_Wait(&request, MPI_STATUS_IGNORE));
}

template <typename Through>
void round_trip(Line& line, int bytes) {
  if (line.peer == line.rank) {
    send_to_itself<Through>(line, bytes);
  } else if (line.rank == 0) {
    Through::send(line, bytes);
    Through::receive(line, bytes);
  } else {
    Through::receive(line, bytes);
    Through::send(line, bytes);
  }
}

int trips_per_batch(int bytes) {
  return std::clamp((1 << 18) / bytes, 2, 64);
}

/// Returns the seconds of one batch. It does not count the first round trip, in which the processes connect.
template <typename Through>
double batch_seconds(Line& line, int bytes) {
  round_trip<Through>(line, bytes);
  return seconds_of([&] {
    for (int trip = 0; trip < trips_per_batch(bytes); ++trip) round_trip<Through>(line, bytes);
  });
}

/// Names the batch that rank 0 tells rank 1 to join. Only rank 0 knows how long to measure.
enum class Batch : int { cubefold, mpi, none };

struct Order {
  Batch batch;
  int bytes;
};

Order share(Line& line, Order order) {
  std::array<int, 2> words{static_cast<int>(order.batch), order.bytes};
  require(MPI_Bcast(words.data(), 2, MPI_INT, 0, line.comm));
  return {static_cast<Batch>(words[0]), words[1]};
}

double run_batch(Line& line, Order order) {
  switch (order.batch) {
    case Batch::cubefold:
      return batch_seconds<ThroughCubefold>(line, order.bytes);
    case Batch::mpi:
      return batch_seconds<ThroughMpi>(line, order.bytes);
    case Batch::none:
      break;
  }
  return 0;
}

void measure(benchmark::State& state, Line& line, int peer) {
  line.peer = peer;
  const int bytes = static_cast<int>(state.range(0));
  const auto batch = [&](Batch which) { return run_batch(line, share(line, {which, bytes})); };
  Comparison comparison;
  for (auto _ : state) {
    comparison.run_pair(
        state, [&] { return batch(Batch::cubefold); }, [&] { return batch(Batch::mpi); });
  }
  comparison.report_times(state, "v", "mpi", trips_per_batch(bytes));
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgName("bytes")->RangeMultiplier(8)->Range(8, largest_bytes)->UseManualTime();
}

void lead(Line& line, int process_count) {
  using benchmark::RegisterBenchmark;
  if (process_count == 1) {
    RegisterBenchmark("to_nobody", measure, std::ref(line), MPI_PROC_NULL)
        ->ArgName("bytes")
        ->Arg(8)
        ->UseManualTime();
    RegisterBenchmark("to_itself", measure, std::ref(line), 0)->Apply(sizes);
  } else {
    RegisterBenchmark("ping_pong", measure, std::ref(line), 1)->Apply(sizes);
  }
  benchmark::RunSpecifiedBenchmarks();
  share(line, {Batch::none, 0});
}

void follow(Line& line) {
  for (;;) {
    const Order order = share(line, {});
    if (order.batch == Batch::none) return;
    run_batch(line, order);
  }
}

void run(int process_count) {
  Line line;
  require(cubefold_comm_create(MPI_COMM_WORLD, ("line:" + std::to_string(process_count)).c_str(), "standard",
                               &line.handle));
  line.comm = cubefold_comm_virtual(line.handle);
  require(cubefold_comm_rank(line.handle, &line.rank));
  line.rank == 0 ? lead(line, process_count) : follow(line);
  require(cubefold_comm_free(&line.handle));
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  MPI_Init(&argc, &argv);
  int process_count = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &process_count);
  const bool fits = process_count <= 2;
  if (fits) {
    run(process_count);
  } else {
    std::fputs("messages_bench: run it with 1 or 2 processes\n", stderr);
  }
  MPI_Finalize();
  return fits ? 0 : 1;
}
