// MPI's functions that reduce and gather vectors are replaced where a schedule fits, and passed on elsewhere.

#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "preload/programs_calls.hpp"
#include "preload/programs_vectors.hpp"
#include "support/vector_calls.hpp"

namespace cubefold::preload {
namespace {

using mpi::FunctionsOfMpi;
using mpi::VectorArguments;
using mpi::VectorBuffers;
using mpi::VectorFunction;
using mpi::world_rank;
using mpi::world_size;

CallCount& count_of(VectorFunction function) {
  switch (function) {
    case VectorFunction::allreduce:
      return report().Allreduce;
    case VectorFunction::reduce_scatter_block:
      return report().Reduce_scatter_block;
    case VectorFunction::reduce_scatter:
      return report().Reduce_scatter;
    case VectorFunction::allgather:
      return report().Allgather;
    case VectorFunction::allgatherv:
      break;
  }
  return report().Allgatherv;
}

/// Expects that a call gives what MPI gives.
void expect_as_mpi(const Comm& comm, VectorFunction function, int count, bool in_place) {
  VectorBuffers ours = numbers_for(comm, function, count);
  VectorBuffers theirs = ours;
  const VectorArguments call = in_place ? ours.in_place() : ours.arguments();
  EXPECT_EQ(call.pass_to(FunctionsOfMpi(), comm.get()), MPI_SUCCESS);
  const InsideLibrary calls_of_mpi;
  const VectorArguments expected = in_place ? theirs.in_place() : theirs.arguments();
  EXPECT_EQ(expected.pass_to(FunctionsOfMpi(), comm.get()), MPI_SUCCESS);
  const bool is_a_part = in_place && call.collective() == VectorCollective::reduce_scatter;
  const std::size_t bytes =
      !is_a_part ? ours.receive().size()
                 : 8 * static_cast<std::size_t>(call.counts.data() == nullptr
                                                    ? count
                                                    : call.counts[static_cast<std::size_t>(comm.rank())]);
  EXPECT_EQ(std::memcmp(ours.receive().data(), theirs.receive().data(), bytes), 0)
      << mpi::name_of_mpi(function) << " of " << count << (in_place ? " in place" : "");
}

TEST_F(VectorsOnARing, calls_of_all_functions_and_counts_are_ours) {
  if (world_size() == 1) GTEST_SKIP() << "calls of one process are passed on";
  for (const char* method : {"bucket", "bucket:2", "halving-swing"}) {
    reduce_by(method);
    const Comm comm = Comm::dup();
    for (const VectorFunction function : mpi::all_vector_functions) {
      const Counted calls{count_of(function)};
      for (const int count : {0, 1, world_size() - 1, world_size() + 1, 3000})
        for (const bool in_place : {false, true}) expect_as_mpi(comm, function, count, in_place);
      // Those of MPI inside of the library do not count.
      EXPECT_TRUE(calls.are_ours(10)) << mpi::name_of_mpi(function) << ' ' << method;
    }
  }
}

TEST_F(VectorsOnARing, calls_are_ours_while_their_times_choose_a_method) {
  if (world_size() == 1) GTEST_SKIP() << "calls of one process are passed on";
  reduce_by("tune");
  const Comm comm = Comm::dup();
  const Counted calls{report().Allreduce};
  for (int call = 0; call < 20; ++call) {
    const double value = 1;
    double sum = 0;
    MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, comm.get());
    EXPECT_EQ(sum, world_size());
  }
  EXPECT_TRUE(calls.are_ours(20));
}

TEST_F(VectorsOnARing, calls_of_parts_and_of_several_communicators_are_ours) {
  const Comm half = Comm::split(world_rank() % 2, -world_rank());
  const Comm all = Comm::dup();
  for (int round = 0; round < 3; ++round) {
    for (const VectorFunction function : mpi::all_vector_functions) {
      expect_as_mpi(half, function, 50, false);
      expect_as_mpi(all, function, 50, true);
    }
  }
}

TEST_F(VectorsOnARing, a_communicator_with_the_handle_of_a_freed_one_is_another_one) {
  for (int round = 0; round < 4; ++round) {
    const Comm comm = round % 2 == 0 ? Comm::dup() : Comm::split(world_rank() % 2, world_rank());
    expect_as_mpi(comm, VectorFunction::allreduce, 1000, false);
    expect_as_mpi(comm, VectorFunction::allgather, 1000, false);
  }
}

TEST_F(VectorsOnARing, equal_calls_give_equal_bits_everywhere) {
  const Comm comm = Comm::dup();
  std::vector<double> sent(1001);
  for (std::size_t i = 0; i < sent.size(); ++i)
    sent[i] = 1.0 / (1 + static_cast<double>(i) + 7 * static_cast<double>(world_rank()));
  std::vector<double> first;
  for (int call = 0; call < 5; ++call) {
    std::vector<double> received(sent.size());
    MPI_Allreduce(sent.data(), received.data(), 1001, MPI_DOUBLE, MPI_SUM, comm.get());
    std::vector<double> of_root = received;
    MPI_Bcast(of_root.data(), 1001, MPI_DOUBLE, 0, comm.get());
    EXPECT_TRUE(received == of_root) << "ranks have different bits";
    if (call == 0) first = received;
    EXPECT_TRUE(received == first) << "calls have different bits";
  }
}

TEST_F(VectorsOnARing, short_vectors_are_passed_on_without_a_plan) {
  if (world_size() == 1) GTEST_SKIP() << "calls of one process are passed on";
  reduce_by("");
  const Comm comm = Comm::dup();
  const Counted calls{report().Allreduce};
  double value = 1;
  for (int call = 0; call < 5; ++call)
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, comm.get());
  EXPECT_EQ(value, 1);
  EXPECT_TRUE(calls.are_passed_on(5));
}

TEST_F(VectorsOnARing, what_the_user_leaves_to_mpi_is_passed_on) {
  reduce_by("mpi");
  const Comm comm = Comm::dup();
  for (const VectorFunction function : mpi::all_vector_functions) {
    const Counted calls{count_of(function)};
    expect_as_mpi(comm, function, 100000, false);
    EXPECT_TRUE(calls.are_passed_on(1));
  }
}

void subtract(void* in, void* inout, int* count, MPI_Datatype* /*type*/) {
  for (int i = 0; i < *count; ++i)
    static_cast<int*>(inout)[i] = static_cast<int*>(in)[i] * 2 - static_cast<int*>(inout)[i];
}

TEST_F(VectorsOnARing, operations_that_do_not_commute_and_pairs_with_gaps_are_passed_on) {
  const Comm comm = Comm::dup();
  const Counted calls{report().Allreduce};
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(subtract, 0, &op);
  std::vector<int> values(100, world_rank());
  EXPECT_EQ(MPI_Allreduce(MPI_IN_PLACE, values.data(), 100, MPI_INT, op, comm.get()), MPI_SUCCESS);
  MPI_Op_free(&op);
  struct {
    double value;
    int place;
  } pair{1.0 * world_rank(), world_rank()};
  EXPECT_EQ(MPI_Allreduce(MPI_IN_PLACE, &pair, 1, MPI_DOUBLE_INT, MPI_MAXLOC, comm.get()), MPI_SUCCESS);
  EXPECT_EQ(pair.place, world_size() - 1);
  EXPECT_TRUE(calls.are_passed_on(2));
}

void take_left(void* in, void* inout, int* count, MPI_Datatype* /*type*/) {
  std::memcpy(inout, in, static_cast<std::size_t>(*count) * sizeof(int));
}

TEST_F(VectorsOnARing, operations_that_do_not_commute_are_replaced_by_methods_that_keep_the_order) {
  if (world_size() < 2) GTEST_SKIP() << "calls of one process are passed on";
  reduce_by("halving-ordered");
  const Comm comm = Comm::dup();
  const Counted calls{report().Allreduce};
  MPI_Op op = MPI_OP_NULL;
  MPI_Op_create(take_left, 0, &op);
  std::vector<int> values(100, world_rank());
  EXPECT_EQ(MPI_Allreduce(MPI_IN_PLACE, values.data(), 100, MPI_INT, op, comm.get()), MPI_SUCCESS);
  MPI_Op_free(&op);
  EXPECT_EQ(values, std::vector<int>(100));
  EXPECT_TRUE(calls.are_ours(1));
}

TEST_F(VectorsOnARing, intercommunicators_are_passed_on) {
  if (world_size() < 2) GTEST_SKIP() << "needs two processes";
  const Comm half = Comm::split(world_rank() % 2, world_rank());
  Comm inter;
  MPI_Intercomm_create(half.get(), 0, MPI_COMM_WORLD, 1 - world_rank() % 2, 0, inter.out());
  const Counted calls{report().Allreduce};
  int sum = 1;
  int received = 0;
  EXPECT_EQ(MPI_Allreduce(&sum, &received, 1, MPI_INT, MPI_SUM, inter.get()), MPI_SUCCESS);
  EXPECT_EQ(received, (world_size() + world_rank() % 2) / 2);
  EXPECT_TRUE(calls.are_passed_on(1));
}

TEST_F(VectorsOnARing, invalid_arguments_get_the_error_class_of_mpi) {
  const Comm comm = Comm::dup();
  MPI_Comm_set_errhandler(comm.get(), MPI_ERRORS_RETURN);
  std::vector<double> buffer(10);
  const auto class_of = [](int code) {
    int error_class = MPI_SUCCESS;
    MPI_Error_class(code, &error_class);
    return error_class;
  };
  std::vector<double> received(10);
  const auto reduce = [&](int count, MPI_Datatype type, MPI_Op op) {
    return class_of(MPI_Allreduce(buffer.data(), received.data(), count, type, op, comm.get()));
  };
  const auto expect_class_of_mpi = [&](int count, MPI_Datatype type, MPI_Op op) {
    const int ours = reduce(count, type, op);
    const InsideLibrary calls_of_mpi;
    EXPECT_NE(ours, MPI_SUCCESS);
    EXPECT_EQ(ours, reduce(count, type, op));
  };
  // MPICH 4.0.2 does not look at counts, and copies from memory before the buffer.
  if (!mpi::runs_with_mpich()) expect_class_of_mpi(-1, MPI_DOUBLE, MPI_SUM);
  expect_class_of_mpi(1, MPI_DATATYPE_NULL, MPI_SUM);
  expect_class_of_mpi(1, MPI_DOUBLE, MPI_OP_NULL);
  expect_class_of_mpi(1, MPI_DOUBLE, MPI_BXOR);
  EXPECT_EQ(reduce(1, MPI_DOUBLE, MPI_SUM), MPI_SUCCESS) << "the communicator stays usable";
}

TEST(VectorsOnOneHost, are_passed_on) {
  gather_world_anew();
  const Comm comm = Comm::dup();
  for (const VectorFunction function : mpi::all_vector_functions) {
    const Counted calls{count_of(function)};
    expect_as_mpi(comm, function, 100000, false);
    EXPECT_TRUE(calls.are_passed_on(1));
  }
}

}  // namespace
}  // namespace cubefold::preload
