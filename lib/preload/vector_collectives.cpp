#include "vector_collectives.hpp"

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
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

/// The communicator that a thread used last, with the number of its processes, and the bytes of a vector below which
/// calls of each collective are passed on.
struct LastComm {
  MPI_Comm comm{};
  std::uint64_t freed_count = 0;
  std::size_t size = 0;
  std::array<std::optional<std::size_t>, 3> least_bytes{};
  std::array<bool, 3> are_left{};        ///< whether no call is long enough
  std::array<const NextMpi*, 2> next{};  ///< by Name
};

constinit thread_local LastComm last_comm;

/// Returns MPI's own functions if this thread knows that all calls of a collective on a communicator are passed on, and
/// counts the call. Otherwise returns null. This costs a few instructions, since most programs make many calls with
/// short vectors.
const NextMpi* next_if_left(MPI_Comm comm, VectorCollective collective, Name name, CallCount& count) {
  const LastComm& last = last_comm;
  if (last.comm != comm || !last.are_left[static_cast<std::size_t>(collective)]) return nullptr;
  if (last.freed_count != freed_states() || InsideLibrary::is_active()) return nullptr;
  count.passed_on.fetch_add(1, std::memory_order_relaxed);
  return last.next[static_cast<std::size_t>(name)];
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
    last.are_left[static_cast<std::size_t>(collective)] = *least == KnownProcesses::no_vector;
    last.next = {&next_mpi(Name::mpi), &next_mpi(Name::pmpi)};
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

}  // namespace

std::optional<VectorCall> valid_call(const VectorArguments& arguments, const KnownProcesses& known) try {
  if (!is_committed(arguments.type)) return std::nullopt;
  if (!arguments.is_in_place() && !arguments.reduces() && !is_committed(arguments.send_type))
    return std::nullopt;
  const VectorCall call(arguments, known.processes().size(), label(known.comm().rank()));
  const bool may_be_one_buffer = arguments.send == nullptr || call.vector_bytes() == 0;
  if (arguments.send == arguments.receive && !may_be_one_buffer) return std::nullopt;
  return call;
} catch (const std::invalid_argument&) {
  return std::nullopt;
}

namespace {

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
        exchanges.plans.vectors().run(*call);
        return true;
      });
}

}  // namespace

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

namespace {

/// Makes a call whose arguments make() returns, or passes it on.
template <typename Make>
int replace_vector_call(MPI_Comm comm, VectorCollective collective, Name name, CallCount& count, Make make) {
  if (const NextMpi* next = next_if_left(comm, collective, name, count)) {
    const InsideLibrary inside;
    return make().pass_to(*next, comm);
  }
  return reduce_or_gather(make(), comm, name, count);
}

}  // namespace

}  // namespace cubefold::preload

using cubefold::VectorCollective;
using cubefold::mpi::VectorArguments;
using cubefold::preload::replace_vector_call;
using cubefold::preload::report;
using cubefold::preload::unmeasured;

/// Replaces a function whose arguments are those of `arguments`, a maker of VectorArguments.
#define CUBEFOLD_REPLACE_VECTOR(function, collective, parameters, arguments)                        \
  CUBEFOLD_REPLACE(function, parameters,                                                            \
                   replace_vector_call(comm, VectorCollective::collective, name, report().function, \
                                       [&] { return VectorArguments::arguments; }))

CUBEFOLD_REPLACE_VECTOR(Allreduce, allreduce,
                        (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                         MPI_Comm comm),
                        allreduce(send, receive, count, type, op))

CUBEFOLD_REPLACE_VECTOR(Reduce_scatter_block, reduce_scatter,
                        (const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                         MPI_Comm comm),
                        reduce_scatter_block(send, receive, count, type, op))

CUBEFOLD_REPLACE_VECTOR(Reduce_scatter, reduce_scatter,
                        (const void* send, void* receive, const int* counts, MPI_Datatype type, MPI_Op op,
                         MPI_Comm comm),
                        reduce_scatter(send, receive, unmeasured(counts), type, op))

CUBEFOLD_REPLACE_VECTOR(Allgather, allgather,
                        (const void* send, int send_count, MPI_Datatype send_type, void* receive, int count,
                         MPI_Datatype type, MPI_Comm comm),
                        allgather(send, send_count, send_type, receive, count, type))

CUBEFOLD_REPLACE_VECTOR(Allgatherv, allgather,
                        (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                         const int* counts, const int* places, MPI_Datatype type, MPI_Comm comm),
                        allgatherv(send, send_count, send_type, receive, unmeasured(counts),
                                   unmeasured(places), type))
