#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include "alltoall_arguments.hpp"
#include "comm_state.hpp"
#include "interception.hpp"
#include "mpi/vector_call.hpp"
#include "next_mpi.hpp"
#include "replaced_call.hpp"

namespace cubefold::preload {

namespace {

using mpi::VectorArguments;
using mpi::VectorCall;

/// What this thread knows of the communicator that it used last: the number of its processes, and the bytes of a vector
/// below which calls of each collective are passed on.
struct LastComm {
  MPI_Comm comm{};
  std::uint64_t freed_count = 0;
  std::size_t size = 0;
  std::array<std::optional<std::size_t>, 3> least_bytes{};
};

constinit thread_local LastComm last_comm;

/// Returns whether this thread knows that all calls of a collective on a communicator are passed on. Costs a few
/// instructions, since most programs make many calls of these functions with short vectors.
bool are_known_to_be_left(MPI_Comm comm, VectorCollective collective) {
  const LastComm& last = last_comm;
  return last.comm == comm && last.freed_count == freed_states() &&
         last.least_bytes[static_cast<std::size_t>(collective)] == KnownProcesses::no_vector;
}

/// Returns the bytes below which calls are passed on. Costs some instructions if the thread's last call was on the same
/// communicator. Otherwise it is a look-up, and for the first call of a collective on these processes a plan.
std::size_t least_bytes_of(MPI_Comm comm, VectorCollective collective) {
  LastComm& last = last_comm;
  if (last.comm != comm || last.freed_count != freed_states()) last = {comm, freed_states()};
  auto& least = last.least_bytes[static_cast<std::size_t>(collective)];
  if (!least) {
    const CommState* state = state_of(comm);
    last.size = state == nullptr ? 0 : state->group->known.processes().size();
    least = state == nullptr ? KnownProcesses::no_vector : state->group->known.least_vector_bytes(collective);
  }
  return *least;
}

/// Returns the bytes of the vector of a call on so many processes. Invalid arguments give any number.
std::size_t vector_bytes(const VectorArguments& arguments, std::size_t size) {
  if (arguments.type == MPI_DATATYPE_NULL) return 0;
  std::int64_t elements = arguments.count;
  if (arguments.function != mpi::VectorFunction::allreduce) elements *= static_cast<std::int64_t>(size);
  for (const int count : arguments.counts) elements += count;
  int bytes = 0;
  mpi::check(MPI_Type_size(arguments.type, &bytes), "MPI_Type_size");
  return static_cast<std::size_t>(elements) * static_cast<std::size_t>(bytes);
}

/// Returns the call, or nothing if MPI would not take its arguments. Such calls are passed on, so that the program gets
/// MPI's own error class.
std::optional<VectorCall> valid_call(const VectorArguments& arguments, const KnownProcesses& known) try {
  if (!is_committed(arguments.type)) return std::nullopt;
  if (!arguments.is_in_place() && !arguments.reduces() && !is_committed(arguments.send_type))
    return std::nullopt;
  std::optional<VectorCall> call(std::in_place, arguments, known.processes().size(),
                                 label(known.comm().rank()));
  const bool may_be_one_buffer = arguments.send == nullptr || call->vector_bytes() == 0;
  if (arguments.send == arguments.receive && !may_be_one_buffer) call.reset();
  return call;
} catch (const std::invalid_argument&) {
  return std::nullopt;
}

/// Makes the call by cubefold, or returns false if it is passed on.
bool run(MPI_Comm comm, CommState& state, const VectorArguments& arguments) {
  const InsideLibrary inside;
  const auto call = valid_call(arguments, state.group->known);
  if (!call) return false;
  if (!state.group->known.may_exchange(*call)) return pass_on_as_chosen();
  return exchange_on(
      comm, state, [&](CommState& each) { return exchanges_of(comm, each); },
      [&](Exchanges& exchanges) {
        if (is_on_device(state, {arguments.send, arguments.receive})) return false;
        exchanges.plans.for_vector(*call)->run(*call);
        return true;
      });
}

/// Returns whether a call is passed on because of its communicator and the bytes of its vector alone.
bool is_left_to_mpi(VectorArguments& arguments, MPI_Comm comm) {
  const std::size_t least = least_bytes_of(comm, arguments.collective());
  if (least == KnownProcesses::no_vector) return true;
  if (arguments.counts.data() != nullptr) {
    arguments.counts = {arguments.counts.data(), last_comm.size};
    if (arguments.displacements.data() != nullptr)
      arguments.displacements = {arguments.displacements.data(), last_comm.size};
  }
  return vector_bytes(arguments, last_comm.size) < least;
}

int reduce_or_gather(VectorArguments arguments, MPI_Comm comm, Name name, CallCount& count) {
  const auto next = [&] {
    return pass_on(name, [&](const NextMpi& mpi) { return arguments.pass_to(mpi, comm); });
  };
  if (!InsideLibrary::is_active() && are_known_to_be_left(comm, arguments.collective())) {
    ++count.passed_on;
    return next();
  }
  if (!may_replace()) return next();
  try {
    if (comm == MPI_COMM_NULL || is_left_to_mpi(arguments, comm)) {
      ++count.passed_on;
      return next();
    }
  } catch (...) {
    return report_failure(comm, count.function);
  }
  return replace(
      comm, count, [&](CommState& state) { return run(comm, state, arguments); }, next);
}

/// Returns an array whose length is not known yet.
std::span<const int> unmeasured(const int* array) {
  return {array, std::size_t{0}};
}

}  // namespace

}  // namespace cubefold::preload

using cubefold::mpi::VectorArguments;
using cubefold::preload::reduce_or_gather;
using cubefold::preload::report;
using cubefold::preload::unmeasured;

CUBEFOLD_REPLACE(Allreduce,
                 (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
                 reduce_or_gather(VectorArguments::allreduce(send, receive, count, type, op), comm, name,
                                  report().Allreduce))

CUBEFOLD_REPLACE(Reduce_scatter_block,
                 (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
                 reduce_or_gather(VectorArguments::reduce_scatter_block(send, receive, count, type, op), comm,
                                  name, report().Reduce_scatter_block))

CUBEFOLD_REPLACE(
    Reduce_scatter,
    (const void* send, void* receive, const int* counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
    reduce_or_gather(VectorArguments::reduce_scatter(send, receive, unmeasured(counts), type, op), comm, name,
                     report().Reduce_scatter))

CUBEFOLD_REPLACE(Allgather,
                 (const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                  MPI_Datatype receive_type, MPI_Comm comm),
                 reduce_or_gather(VectorArguments::allgather(send, send_count, send_type, receive,
                                                             receive_count, receive_type),
                                  comm, name, report().Allgather))

CUBEFOLD_REPLACE(Allgatherv,
                 (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                  const int* receive_counts, const int* receive_displacements, MPI_Datatype receive_type,
                  MPI_Comm comm),
                 reduce_or_gather(VectorArguments::allgatherv(send, send_count, send_type, receive,
                                                              unmeasured(receive_counts),
                                                              unmeasured(receive_displacements),
                                                              receive_type),
                                  comm, name, report().Allgatherv))
