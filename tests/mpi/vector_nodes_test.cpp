// Vectors are reduced and gathered by schedules where nodes have several ranks, equally or unequally many.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "mpi/alltoall_request.hpp"
#include "mpi/plan_cache.hpp"
#include "support/shared_nodes.hpp"
#include "support/variable.hpp"
#include "support/vector_calls.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {
namespace {

/// The processes of a job, whose vectors go by the method that is asked for.
struct NodeVectors {
  NodeVectors(const Job& job, std::string method_name) : comm(job.comm()), method(std::move(method_name)) {
    const Variable variable("CUBEFOLD_ALLREDUCE", method, Variable::Where::everywhere);
    plans.emplace(comm);
  }

  VectorCall call(const VectorArguments& arguments) const {
    return {arguments, comm.placement().rank_count(), label(comm.rank())};
  }

  /// Performs a call in one of the forms, and returns whether steps of a schedule did it. A persistent one runs twice,
  /// unless it is in place.
  bool perform(const VectorArguments& arguments, CallForm form) {
    const VectorCall made = call(arguments);
    const auto plan = plans->vectors().for_call(made);
    if (form == CallForm::blocking) {
      plan->run(made);
      return plan->vector_steps().has_value();
    }
    const auto request = plan->prepare(made);
    for (int starts = form == CallForm::started || arguments.is_in_place() ? 1 : 2; starts > 0; --starts) {
      request->start();
      request->wait();
    }
    return plan->vector_steps().has_value();
  }

  VectorBuffers buffers(VectorFunction function, int count, MPI_Datatype type, MPI_Op op) const {
    return {function,
            count,
            type,
            8,
            op,
            static_cast<int>(comm.placement().rank_count()),
            static_cast<int>(label(comm.rank()))};
  }

  VirtualComm comm;
  std::string method;
  std::optional<PlanCache> plans;
};

/// Returns a job whose first process is alone on one of two nodes.
Job unequal_job() {
  Job job{"line:2", std::vector<std::uint32_t>(static_cast<std::size_t>(world_size()), 1)};
  job.nodes.front() = 0;
  return job;
}

/// Calls visit(vectors) for each job in which ranks share nodes and for methods that fit it or are ignored.
template <typename Visit>
void for_all_jobs(Visit visit) {
  if (world_size() == 1) return;
  std::vector<Job> jobs = jobs_of_world();
  jobs.push_back(unequal_job());
  for (const Job& job : jobs) {
    for (const char* method :
         {"bucket", "bucket:2", "bucket:5", "halving-swing:3", "halving-cube", "whole-cube:2"}) {
      NodeVectors vectors(job, method);
      if (vectors.comm.sharing() == nullptr) continue;
      SCOPED_TRACE(to_string(*vectors.comm.sharing()) + ' ' + method);
      visit(vectors);
    }
  }
}

/// Writes values of 64 bits, which are others on each rank.
template <typename Value>
void fill_with(std::vector<std::byte>& bytes, Value value) {
  for (std::size_t i = 0; i < bytes.size(); i += 8) {
    const auto each = value(i / 8);
    std::memcpy(bytes.data() + i, &each, 8);
  }
}

void expect_what_mpi_gives(NodeVectors& vectors, VectorFunction function, int count, CallForm form) {
  const auto rank = static_cast<std::int64_t>(label(vectors.comm.rank()));
  for (const bool is_in_place : {false, true}) {
    VectorBuffers ours = vectors.buffers(function, count, MPI_INT64_T, MPI_SUM);
    fill_with(ours.send(), [&](std::size_t i) { return 7 * static_cast<std::int64_t>(i) + 5 * rank + 1; });
    VectorBuffers theirs = ours;
    vectors.perform(is_in_place ? ours.in_place() : ours.arguments(), form);
    theirs.arguments().pass_to(FunctionsOfMpi(), vectors.comm.virtual_comm());
    ours.receive().resize(theirs.receive().size());  // the rest is undefined in place
    EXPECT_TRUE(ours.receive() == theirs.receive())
        << name_of_mpi(function) << " of " << count << (is_in_place ? " in place, form " : ", form ")
        << static_cast<int>(form);
  }
}

TEST(NodeVectors, give_what_mpi_gives_in_all_functions_counts_and_forms) {
  const int p = world_size();
  for_all_jobs([&](NodeVectors& vectors) {
    for (const VectorFunction function : all_vector_functions) {
      for (const int count : {0, p - 1, 100})
        expect_what_mpi_gives(vectors, function, count, CallForm::blocking);
      for (const CallForm form : {CallForm::started, CallForm::persistent})
        expect_what_mpi_gives(vectors, function, p + 1, form);
    }
  });
}

TEST(NodeVectors, give_what_mpi_gives_for_vectors_that_travel_in_pieces) {
  if (world_size() < 3) GTEST_SKIP() << "needs several processes on a node";
  NodeVectors vectors(world_size() % 2 == 0 ? job_with(2) : unequal_job(), "bucket:2");
  for (const VectorFunction function : all_vector_functions) {
    const bool is_whole = function == VectorFunction::allreduce;
    expect_what_mpi_gives(vectors, function, is_whole ? (5 << 20) + 1 : (5 << 20) / world_size(),
                          CallForm::blocking);
  }
}

TEST(NodeVectors, go_by_schedules_and_give_all_ranks_and_calls_the_same_bits) {
  for_all_jobs([](NodeVectors& vectors) {
    std::vector<std::byte> first;
    for (std::size_t number = 0; number < 6; ++number) {
      VectorBuffers buffers = vectors.buffers(VectorFunction::allreduce, 1003, MPI_DOUBLE, MPI_SUM);
      std::mt19937 random(label(vectors.comm.rank()) + 1);
      std::uniform_real_distribution<double> value(-1, 1);
      fill_with(buffers.send(), [&](std::size_t) { return value(random); });
      const bool by_schedule = vectors.perform(number % 2 == 1 ? buffers.in_place() : buffers.arguments(),
                                               all_call_forms[number / 2]);
      // Networks that lack nodes have no axes.
      const bool has_axes = vectors.comm.network().route_table() == nullptr;
      if (!by_schedule && !(has_axes && vectors.method.starts_with("bucket"))) return;
      EXPECT_TRUE(by_schedule);
      if (number == 0) first = buffers.receive();
      EXPECT_TRUE(buffers.receive() == first) << "call " << number << " has other bits";
    }
    std::vector<std::byte> of_root = first;
    MPI_Bcast(of_root.data(), static_cast<int>(of_root.size()), MPI_BYTE, 0, MPI_COMM_WORLD);
    EXPECT_TRUE(first == of_root) << "ranks have different bits";
  });
}

}  // namespace
}  // namespace cubefold::mpi
