// One process has buffers in the memory of a device. All of them pass the call on, by whichever function.

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "mpi/device_memory.hpp"
#include "preload/programs_calls.hpp"
#include "support/device_driver.hpp"
#include "support/persistent_exchanges.hpp"

namespace cubefold::preload {
namespace {

using mpi::Variable;
using mpi::world_rank;
using mpi::world_size;

class OneDevice : public OnARing {
 protected:
  void SetUp() override {
    if (world_size() == 1) GTEST_SKIP() << "calls of one process are passed on";
    exchange_by("linear");
  }

  static bool is_mine() { return world_rank() + 1 == world_size(); }

  /// Expects that a call is passed on, and that it brings a number from every process.
  static void expect_passed_on(CallCount& count,
                               const std::function<void(const int*, int*, const Comm&)>& call) {
    const auto p = static_cast<std::size_t>(world_size());
    std::vector<int> on_host(2 * p, world_rank());
    int* buffers = on_host.data();
    if (is_mine()) {
      buffers = mpi::DeviceDriver("libcuda.so.1").allocate<int>(2 * p);
      std::ranges::copy(on_host, buffers);
    }
    const Comm comm = Comm::dup();
    const Counted calls{count};
    const std::uint64_t before = report().with_device_memory;
    call(buffers, buffers + p, comm);
    EXPECT_TRUE(calls.are_passed_on(1));
    EXPECT_EQ(report().with_device_memory, before + 1);
    for (std::size_t from = 0; from < p; ++from) EXPECT_EQ(buffers[p + from], static_cast<int>(from));
  }
};

// This is the first test, because a driver is never unloaded.
TEST_F(OneDevice, is_an_error_if_its_driver_is_loaded_after_the_first_call) {
  const Comm comm = Comm::dup();
  MPI_Comm_set_errhandler(comm.get(), MPI_ERRORS_RETURN);
  std::vector<int> numbers(2 * comm.size());
  MPI_Alltoall(numbers.data(), 1, MPI_INT, numbers.data() + comm.size(), 1, MPI_INT, comm.get());
  int* held = mpi::DeviceDriver("libamdhip64.so.6").allocate<int>(comm.size());
  mpi::find_device_drivers();
  EXPECT_NE(MPI_Alltoall(numbers.data(), 1, MPI_INT, held, 1, MPI_INT, comm.get()), MPI_SUCCESS);
}

TEST_F(OneDevice, passes_on_equal_and_unequal_blocks) {
  expect_passed_on(report().Alltoall, [](const int* send, int* receive, const Comm& comm) {
    MPI_Alltoall(send, 1, MPI_INT, receive, 1, MPI_INT, comm.get());
  });
  const std::vector<int> counts(static_cast<std::size_t>(world_size()), 1);
  std::vector<int> places(counts.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<int>(i);
  expect_passed_on(report().Alltoallv, [&](const int* send, int* receive, const Comm& comm) {
    MPI_Alltoallv(send, counts.data(), places.data(), MPI_INT, receive, counts.data(), places.data(), MPI_INT,
                  comm.get());
  });
}

TEST_F(OneDevice, passes_on_what_threads_exchange) {
  const Variable wanted("CUBEFOLD_PROGRESS_THREAD", "1", everywhere);
  expect_passed_on(report().Ialltoall, [](const int* send, int* receive, const Comm& comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ialltoall(send, 1, MPI_INT, receive, 1, MPI_INT, comm.get(), &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  });
  const std::vector<int> counts(static_cast<std::size_t>(world_size()), 1);
  std::vector<int> places(counts.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = static_cast<int>(i);
  expect_passed_on(report().Ialltoallv, [&](const int* send, int* receive, const Comm& comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ialltoallv(send, counts.data(), places.data(), MPI_INT, receive, counts.data(), places.data(),
                   MPI_INT, comm.get(), &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  });
  expect_passed_on(report().Alltoall_init, [](const int* send, int* receive, const Comm& comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Alltoall_init(send, 1, MPI_INT, receive, 1, MPI_INT, comm.get(), MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
  });
}

TEST_F(OneDevice, does_not_keep_buffers_of_the_host_from_an_exchange) {
  EXPECT_TRUE(!is_mine() || mpi::DeviceDriver("libcuda.so.1").is_loaded());
  const Comm comm = Comm::dup();
  const Counted calls{report().Alltoall};
  const std::vector<int> sent(comm.size(), world_rank());
  std::vector<int> received(comm.size());
  MPI_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, comm.get());
  EXPECT_TRUE(calls.are_ours(1));
}

}  // namespace
}  // namespace cubefold::preload
