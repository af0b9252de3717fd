// Threads make the non-blocking calls that reduce and gather vectors, where a schedule fits.

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstring>
#include <utility>
#include <vector>

#include "preload/programs_calls.hpp"
#include "preload/programs_vectors.hpp"
#include "support/vector_calls.hpp"

namespace cubefold::preload {
namespace {

using mpi::VectorArguments;
using mpi::VectorBuffers;
using mpi::VectorFunction;

CallCount& count_of_started(VectorFunction function) {
  switch (function) {
    case VectorFunction::allreduce:
      return report().Iallreduce;
    case VectorFunction::reduce_scatter_block:
      return report().Ireduce_scatter_block;
    case VectorFunction::reduce_scatter:
      return report().Ireduce_scatter;
    case VectorFunction::allgather:
      return report().Iallgather;
    case VectorFunction::allgatherv:
      break;
  }
  return report().Iallgatherv;
}

/// Threads make the calls, by the method `bucket`.
class VectorThreads : public VectorsOnARing {
 protected:
  void SetUp() override {
    if (mpi::world_size() == 1) GTEST_SKIP() << "calls of one process are passed on";
  }

 private:
  mpi::Variable wanted_{"CUBEFOLD_PROGRESS_THREAD", "1", everywhere};
};

/// A non-blocking call with what MPI's blocking one gives.
class StartedCall {
 public:
  StartedCall(const Comm& comm, VectorFunction function, int count)
      : ours_(numbers_for(comm, function, count)), theirs_(ours_) {
    const InsideLibrary calls_of_mpi;
    theirs_.arguments().pass_to(mpi::FunctionsOfMpi(), comm.get());
  }

  int start(MPI_Comm comm) {
    return ours_.arguments().pass_to(mpi::NonBlockingFunctionsOfMpi(), comm, &request_);
  }
  int wait() { return MPI_Wait(&request_, MPI_STATUS_IGNORE); }
  bool is_right() { return ours_.receive() == theirs_.receive(); }

 private:
  VectorBuffers ours_;
  VectorBuffers theirs_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

TEST_F(VectorThreads, make_calls_of_all_functions_that_are_under_way_together) {
  const Comm comm = Comm::dup();
  std::vector<StartedCall> calls;
  std::vector<Counted> counts;
  for (const VectorFunction function : mpi::all_vector_functions) {
    counts.push_back({count_of_started(function)});
    for (const int count : {0, 1, 3000}) calls.emplace_back(comm, function, count);
  }
  for (StartedCall& call : calls) EXPECT_EQ(call.start(comm.get()), MPI_SUCCESS);
  for (auto call = calls.rbegin(); call != calls.rend(); ++call) EXPECT_EQ(call->wait(), MPI_SUCCESS);
  for (StartedCall& call : calls) EXPECT_TRUE(call.is_right());
  for (const Counted& each : counts) EXPECT_TRUE(each.are_ours(3)) << each.count.function;
}

TEST_F(VectorThreads, give_the_bits_of_blocking_calls) {
  const Comm comm = Comm::dup();
  std::vector<double> sent(1001);
  for (std::size_t i = 0; i < sent.size(); ++i)
    sent[i] = 1.0 / (1 + static_cast<double>(i) + 7 * static_cast<double>(mpi::world_rank()));
  std::vector<double> blocking(sent.size());
  std::vector<double> started(sent);
  MPI_Allreduce(sent.data(), blocking.data(), 1001, MPI_DOUBLE, MPI_SUM, comm.get());
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(MPI_IN_PLACE, started.data(), 1001, MPI_DOUBLE, MPI_SUM, comm.get(), &request);
  EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  EXPECT_TRUE(started == blocking);
}

TEST_F(VectorThreads, gather_elements_whose_type_and_counts_the_program_changes_at_once) {
  const Comm comm = Comm::dup();
  const auto size = static_cast<int>(comm.size());
  std::vector<int> counts(comm.size(), 1);
  std::vector<int> places(comm.size());
  for (int r = 0; r < size; ++r) places[static_cast<std::size_t>(r)] = r;
  std::vector<int> received(2 * comm.size(), -1);
  const std::vector<int> sent{comm.rank(), comm.rank() + 100};
  MPI_Datatype pair = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Request request = MPI_REQUEST_NULL;
  const Counted calls{report().Iallgatherv};
  EXPECT_EQ(MPI_Iallgatherv(sent.data(), 2, MPI_INT, received.data(), counts.data(), places.data(), pair,
                            comm.get(), &request),
            MPI_SUCCESS);
  MPI_Type_free(&pair);
  counts.assign(comm.size(), -1);
  places.assign(comm.size(), -1);
  EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  EXPECT_TRUE(calls.are_ours(1));
  for (int i = 0; i < 2 * size; ++i) EXPECT_EQ(received[static_cast<std::size_t>(i)], i / 2 + i % 2 * 100);
}

void add_numbers(void* in, void* inout, int* count, MPI_Datatype* /*type*/) {
  for (int i = 0; i < *count; ++i) static_cast<int*>(inout)[i] += static_cast<int*>(in)[i];
}

// The program may free the operation before the call is over.
TEST_F(VectorThreads, leave_operations_of_the_program_to_mpi) {
  for (const auto& [method, commutes] : {std::pair("bucket", 1), std::pair("halving-ordered", 0)}) {
    reduce_by(method);
    const Comm comm = Comm::dup();
    const Counted calls{report().Iallreduce};
    MPI_Op op = MPI_OP_NULL;
    MPI_Op_create(add_numbers, commutes, &op);
    int value = comm.rank();
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(MPI_IN_PLACE, &value, 1, MPI_INT, op, comm.get(), &request);
    MPI_Op_free(&op);
    EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    const auto size = static_cast<int>(comm.size());
    EXPECT_EQ(value, size * (size - 1) / 2);
    EXPECT_TRUE(calls.are_passed_on(1)) << method;
  }
}

TEST_F(VectorThreads, leave_short_vectors_to_mpi) {
  reduce_by("");
  const Comm comm = Comm::dup();
  const Counted calls{report().Iallreduce};
  const int value = 3;
  int sum = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(&value, &sum, 1, MPI_INT, MPI_SUM, comm.get(), &request);
  EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  EXPECT_EQ(sum, 3 * static_cast<int>(comm.size()));
  EXPECT_TRUE(calls.are_passed_on(1));
}

TEST_F(VectorThreads, are_made_where_all_to_alls_are_left_to_mpi) {
  exchange_by("mpi");
  const Comm comm = Comm::dup();
  EXPECT_NE(progress_thread_of(comm.get()), nullptr);
  StartedCall call(comm, VectorFunction::allreduce, 1000);
  EXPECT_EQ(call.start(comm.get()), MPI_SUCCESS);
  EXPECT_EQ(call.wait(), MPI_SUCCESS);
  EXPECT_TRUE(call.is_right());
}

TEST_F(VectorsOnARing, non_blocking_calls_are_passed_on_without_threads) {
  const Comm comm = Comm::dup();
  const Counted calls{report().Iallreduce};
  int value = 1;
  MPI_Request request = MPI_REQUEST_NULL;
  EXPECT_EQ(MPI_Iallreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_SUM, comm.get(), &request), MPI_SUCCESS);
  EXPECT_EQ(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  EXPECT_EQ(value, static_cast<int>(comm.size()));
  EXPECT_TRUE(calls.are_passed_on(1));
}

}  // namespace
}  // namespace cubefold::preload
