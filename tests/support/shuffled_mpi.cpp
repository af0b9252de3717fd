// This library is preloaded to run a program on an MPI that is late and that reports completions in another order, as
// the standard allows. CUBEFOLD_SHUFFLED_MPI is a number from which all random choices follow. Calls that test for
// completion report half of what is complete, in random order, and expect no persistent requests; a call out of eight
// waits up to a fifth of a millisecond before it sends, receives, waits or enters a collective operation. When a
// process ends normally, it writes the number of times that it was late or left something out to standard error, if
// there were any.

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <thread>
#include <vector>

#include "cubefold/export.h"
#include "rank_of_environment.hpp"

namespace {

class Shuffle {
 public:
  Shuffle() {
    const char* seed = std::getenv("CUBEFOLD_SHUFFLED_MPI");
    is_on_ = seed != nullptr;
    if (is_on_)
      state_ =
          std::strtoull(seed, nullptr, 10) * 1000003 + static_cast<unsigned>(cubefold::rank_of_environment());
  }
  Shuffle(const Shuffle&) = delete;
  Shuffle& operator=(const Shuffle&) = delete;
  ~Shuffle() {
    if (count_ > 0)
      std::fprintf(stderr, "times late or left out: %llu\n", static_cast<unsigned long long>(count_));
  }

  /// Returns a number below `end`. Threads may call this at the same time. The numbers are those of splitmix64.
  std::uint64_t below(std::uint64_t end) {
    std::uint64_t bits = state_ += 0x9e3779b97f4a7c15;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    return (bits ^ (bits >> 31)) % end;
  }

  /// Returns whether a test should report nothing.
  bool leaves_out() {
    if (!is_on_ || below(2) == 0) return false;
    ++count_;
    return true;
  }

  void be_late() {
    if (!is_on_ || below(8) != 0) return;
    ++count_;
    std::this_thread::sleep_for(std::chrono::microseconds(below(200)));
  }

  /// Returns the numbers below `end`, in random order.
  std::vector<int> order(int end) {
    std::vector<int> numbers(static_cast<std::size_t>(end));
    std::iota(numbers.begin(), numbers.end(), 0);
    if (is_on_)
      for (std::size_t i = numbers.size(); i > 1; --i) std::swap(numbers[i - 1], numbers[below(i)]);
    return numbers;
  }

 private:
  bool is_on_ = false;
  std::atomic<std::uint64_t> state_ = 0;
  std::atomic<std::uint64_t> count_ = 0;
};

Shuffle shuffle;

MPI_Status* status_at(MPI_Status* statuses, int i) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + i;
}

}  // namespace

extern "C" {

CUBEFOLD_API int MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  if (*request == MPI_REQUEST_NULL || !shuffle.leaves_out()) return PMPI_Test(request, flag, status);
  *flag = 0;
  return MPI_SUCCESS;
}

CUBEFOLD_API int MPI_Testsome(int n, MPI_Request requests[], int* done_n, int done[], MPI_Status statuses[]) {
  *done_n = MPI_UNDEFINED;
  for (const int i : shuffle.order(n)) {
    if (requests[i] == MPI_REQUEST_NULL) continue;
    if (*done_n == MPI_UNDEFINED) *done_n = 0;
    int flag = 0;
    if (!shuffle.leaves_out()) {
      const int code = PMPI_Test(&requests[i], &flag, status_at(statuses, *done_n));
      if (code != MPI_SUCCESS) return code;
    }
    if (flag != 0) done[(*done_n)++] = i;
  }
  return MPI_SUCCESS;
}

CUBEFOLD_API int MPI_Waitany(int n, MPI_Request requests[], int* which, MPI_Status* status) {
  const auto all_are_null = [&] {
    return std::all_of(requests, requests + n, [](MPI_Request each) { return each == MPI_REQUEST_NULL; });
  };
  *which = MPI_UNDEFINED;
  while (!all_are_null()) {
    for (const int i : shuffle.order(n)) {
      int flag = 0;
      if (requests[i] == MPI_REQUEST_NULL) continue;
      const int code = PMPI_Test(&requests[i], &flag, status);
      if (code != MPI_SUCCESS || flag != 0) *which = i;
      if (code != MPI_SUCCESS || flag != 0) return code;
    }
  }
  return MPI_SUCCESS;
}

CUBEFOLD_API int MPI_Waitall(int n, MPI_Request requests[], MPI_Status statuses[]) {
  for (const int i : shuffle.order(n)) {
    const int code = PMPI_Wait(&requests[i], status_at(statuses, i));
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

CUBEFOLD_API int MPI_Iprobe(int from, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  if (!shuffle.leaves_out()) return PMPI_Iprobe(from, tag, comm, flag, status);
  *flag = 0;
  return MPI_SUCCESS;
}
}

#define CUBEFOLD_MAY_BE_LATE(name, parameters, arguments) \
  extern "C" CUBEFOLD_API int MPI_##name parameters {     \
    shuffle.be_late();                                    \
    return PMPI_##name arguments;                         \
  }

// clang-format off
using Bytes = const void*;
using Type = MPI_Datatype;
using Comm = MPI_Comm;

CUBEFOLD_MAY_BE_LATE(Send, (Bytes data, int n, Type type, int to, int tag, Comm comm), (data, n, type, to, tag, comm))
CUBEFOLD_MAY_BE_LATE(Isend, (Bytes data, int n, Type type, int to, int tag, Comm comm, MPI_Request* request),
                     (data, n, type, to, tag, comm, request))
CUBEFOLD_MAY_BE_LATE(Irecv, (void* data, int n, Type type, int from, int tag, Comm comm, MPI_Request* request),
                     (data, n, type, from, tag, comm, request))
CUBEFOLD_MAY_BE_LATE(Wait, (MPI_Request* request, MPI_Status* status), (request, status))
CUBEFOLD_MAY_BE_LATE(Barrier, (Comm comm), (comm))
CUBEFOLD_MAY_BE_LATE(Bcast, (void* data, int n, Type type, int root, Comm comm), (data, n, type, root, comm))
CUBEFOLD_MAY_BE_LATE(Allreduce, (Bytes sent, void* data, int n, Type type, MPI_Op op, Comm comm),
                     (sent, data, n, type, op, comm))
CUBEFOLD_MAY_BE_LATE(Recv, (void* data, int n, Type type, int from, int tag, Comm comm, MPI_Status* status),
                     (data, n, type, from, tag, comm, status))
CUBEFOLD_MAY_BE_LATE(Sendrecv, (Bytes sent, int sent_n, Type sent_type, int to, int sent_tag, void* data, int n,
                                Type type, int from, int tag, Comm comm, MPI_Status* status),
                     (sent, sent_n, sent_type, to, sent_tag, data, n, type, from, tag, comm, status))
CUBEFOLD_MAY_BE_LATE(Allgather, (Bytes sent, int sent_n, Type sent_type, void* data, int n, Type type, Comm comm),
                     (sent, sent_n, sent_type, data, n, type, comm))
CUBEFOLD_MAY_BE_LATE(Alltoall, (Bytes sent, int sent_n, Type sent_type, void* data, int n, Type type, Comm comm),
                     (sent, sent_n, sent_type, data, n, type, comm))
CUBEFOLD_MAY_BE_LATE(Alltoallv, (Bytes sent, const int* sent_n, const int* sent_at, Type sent_type, void* data,
                                 const int* n, const int* at, Type type, Comm comm),
                     (sent, sent_n, sent_at, sent_type, data, n, at, type, comm))
CUBEFOLD_MAY_BE_LATE(Iallreduce, (Bytes sent, void* data, int n, Type type, MPI_Op op, Comm comm, MPI_Request* request),
                     (sent, data, n, type, op, comm, request))
// clang-format on
