// The non-blocking functions that reduce or gather a vector, which threads make as the blocking ones.

#include <mpi.h>

#include <memory>

#include "comm_state.hpp"
#include "exchange_requests.hpp"
#include "interception.hpp"
#include "mpi/mpi_run.hpp"
#include "mpi/vector_call.hpp"
#include "next_mpi.hpp"
#include "progress_thread.hpp"
#include "vector_collectives.hpp"

namespace cubefold::preload {

namespace {

using mpi::VectorArguments;
using mpi::VectorCall;

int pass_on_to_mpi(const VectorArguments& arguments, MPI_Comm comm, MPI_Request* request, Name name) {
  return pass_on(name, [&](const NextMpi& next) {
    const mpi::NonBlockingFunctionsOfMpi functions{next.Iallreduce, next.Ireduce_scatter_block,
                                                   next.Ireduce_scatter, next.Iallgather, next.Iallgatherv};
    return arguments.pass_to(functions, comm, request);
  });
}

/// Returns whether the call needs nothing that the program may free before it is over: an operation of the program has
/// no copy, and its function would see another datatype. Only operations of MPI are known to be exact or rounded.
bool may_outlive_arguments(const VectorCall& call) {
  const Exactness exactness = call.exactness();
  return exactness == Exactness::exact || exactness == Exactness::rounded;
}

/// Lets the thread of the communicator make the call, and returns whether it does. All processes get the same answer.
bool start_call(VectorArguments& arguments, MPI_Comm comm, MPI_Request* request, CallCount& count) {
  const InsideLibrary inside;
  if (comm == MPI_COMM_NULL || request == nullptr || is_left_to_mpi(arguments, comm)) return false;
  const CommState& state = *state_of(comm);
  const auto call = valid_call(arguments, state.group->known);
  if (!call || !may_outlive_arguments(*call) || !state.group->known.may_exchange(*call)) return false;
  const bool outlives_types = !arguments.reduces();
  const auto kept = std::make_shared<const mpi::MpiArguments>(arguments, outlives_types);
  const auto blocking = [kept, &count](MPI_Comm own) {
    return reduce_or_gather(kept->get(), own, Name::pmpi, count);
  };
  return start_exchange(comm, blocking, request);
}

int start_or_pass_on(VectorArguments arguments, MPI_Comm comm, MPI_Request* request, Name name,
                     CallCount& count) {
  if (!may_replace()) return pass_on_to_mpi(arguments, comm, request, name);
  try {
    if (wants_progress_threads() && start_call(arguments, comm, request, count)) return MPI_SUCCESS;
  } catch (...) {
    return report_failure(comm, count.function);
  }
  ++count.passed_on;
  return pass_on_to_mpi(arguments, comm, request, name);
}

}  // namespace

}  // namespace cubefold::preload

using cubefold::mpi::VectorArguments;
using cubefold::preload::report;
using cubefold::preload::start_or_pass_on;
using cubefold::preload::unmeasured;

CUBEFOLD_REPLACE(Iallreduce,
                 (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                  MPI_Request* request),
                 start_or_pass_on(VectorArguments::allreduce(send, receive, count, type, op), comm, request,
                                  name, report().Iallreduce))

CUBEFOLD_REPLACE(Ireduce_scatter_block,
                 (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                  MPI_Request* request),
                 start_or_pass_on(VectorArguments::reduce_scatter_block(send, receive, count, type, op), comm,
                                  request, name, report().Ireduce_scatter_block))

CUBEFOLD_REPLACE(Ireduce_scatter,
                 (const void* send, void* receive, const int* counts, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm, MPI_Request* request),
                 start_or_pass_on(VectorArguments::reduce_scatter(send, receive, unmeasured(counts), type,
                                                                  op),
                                  comm, request, name, report().Ireduce_scatter))

CUBEFOLD_REPLACE(Iallgather,
                 (const void* send, int send_count, MPI_Datatype send_type, void* receive, int count,
                  MPI_Datatype type, MPI_Comm comm, MPI_Request* request),
                 start_or_pass_on(VectorArguments::allgather(send, send_count, send_type, receive, count,
                                                             type),
                                  comm, request, name, report().Iallgather))

CUBEFOLD_REPLACE(Iallgatherv,
                 (const void* send, int send_count, MPI_Datatype send_type, void* receive, const int* counts,
                  const int* places, MPI_Datatype type, MPI_Comm comm, MPI_Request* request),
                 start_or_pass_on(VectorArguments::allgatherv(send, send_count, send_type, receive,
                                                              unmeasured(counts), unmeasured(places), type),
                                  comm, request, name, report().Iallgatherv))
