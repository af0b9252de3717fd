#include "alltoall.hpp"

#include <cstddef>
#include <memory>
#include <span>

#include "alltoall_arguments.hpp"
#include "comm_state.hpp"
#include "interception.hpp"
#include "next_mpi.hpp"
#include "replaced_call.hpp"

namespace cubefold::preload {

namespace {

using mpi::Sides;

/// Returns false if the call is passed on.
bool run(Exchanges& exchanges, const CommState& state, const Sides& sides, CallCount& count) {
  const auto block_bytes = sides.block_bytes();
  const double start = block_bytes ? MPI_Wtime() : 0;
  const auto exchange = exchanges.plans.for_call(sides);
  if (exchange->uses_mpi()) return pass_on_as_chosen();
  if (is_on_device(state, {sides.sent.memory(), sides.received.memory()})) return false;
  exchange->run(sides);
  if (block_bytes)
    count.seconds_saved += exchanges.savings.add(*block_bytes, exchange->medians(), MPI_Wtime() - start);
  return true;
}

/// Makes one collective call. Returns false if it is passed on.
bool exchange(MPI_Comm comm, CommState& state, const Sides& sides, CallCount& count) {
  return exchange_on(
      comm, state, [&](CommState& each) { return exchanges_of(comm, each, sides.block_bytes()); },
      [&](Exchanges& exchanges) { return run(exchanges, state, sides, count); });
}

}  // namespace

int alltoall(Sides sides, MPI_Comm comm, Name name, CallCount& count) {
  const auto ours = [&](CommState& state) {
    if (state.group->known.leaves_all_to_mpi()) return pass_on_as_chosen();
    const auto& known = state.group->known.comm();
    if (!is_valid(sides, known.placement().rank_count(), label(known.rank()))) return false;
    return exchange(comm, state, sides, count);
  };
  const auto next = [&](const NextMpi& mpi) {
#if MPI_VERSION >= 4
    if (sides.have_large_counts())
      return sides.pass_to<MPI_Count, MPI_Aint>(mpi.Alltoall_c, mpi.Alltoallv_c, mpi.Alltoallw_c, comm);
#endif
    return sides.pass_to(mpi.Alltoall, mpi.Alltoallv, mpi.Alltoallw, comm);
  };
  return replace(comm, count, ours, [&] { return pass_on(name, next); });
}

}  // namespace cubefold::preload

using cubefold::preload::alltoall;
using cubefold::preload::report;
using cubefold::preload::sides_of;

CUBEFOLD_REPLACE(Alltoall,
                 (const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                  MPI_Datatype receive_type, MPI_Comm comm),
                 alltoall({send, send_count, send_type, receive, receive_count, receive_type}, comm, name,
                          report().Alltoall))

CUBEFOLD_REPLACE(Alltoallv,
                 (const void* send, const int* send_counts, const int* send_displacements,
                  MPI_Datatype send_type, void* receive, const int* receive_counts,
                  const int* receive_displacements, MPI_Datatype receive_type, MPI_Comm comm),
                 alltoall(sides_of(send, send_counts, send_displacements, send_type, receive, receive_counts,
                                   receive_displacements, receive_type, comm),
                          comm, name, report().Alltoallv))

CUBEFOLD_REPLACE(Alltoallw,
                 (const void* send, const int* send_counts, const int* send_displacements,
                  const MPI_Datatype* send_types, void* receive, const int* receive_counts,
                  const int* receive_displacements, const MPI_Datatype* receive_types, MPI_Comm comm),
                 alltoall(sides_of(send, send_counts, send_displacements, send_types, receive, receive_counts,
                                   receive_displacements, receive_types, comm),
                          comm, name, report().Alltoallw))

#if MPI_VERSION >= 4
CUBEFOLD_REPLACE(Alltoall_c,
                 (const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                  MPI_Count receive_count, MPI_Datatype receive_type, MPI_Comm comm),
                 alltoall({send, send_count, send_type, receive, receive_count, receive_type}, comm, name,
                          report().Alltoall_c))

CUBEFOLD_REPLACE(Alltoallv_c,
                 (const void* send, const MPI_Count* send_counts, const MPI_Aint* send_displacements,
                  MPI_Datatype send_type, void* receive, const MPI_Count* receive_counts,
                  const MPI_Aint* receive_displacements, MPI_Datatype receive_type, MPI_Comm comm),
                 alltoall(sides_of(send, send_counts, send_displacements, send_type, receive, receive_counts,
                                   receive_displacements, receive_type, comm),
                          comm, name, report().Alltoallv_c))

CUBEFOLD_REPLACE(Alltoallw_c,
                 (const void* send, const MPI_Count* send_counts, const MPI_Aint* send_displacements,
                  const MPI_Datatype* send_types, void* receive, const MPI_Count* receive_counts,
                  const MPI_Aint* receive_displacements, const MPI_Datatype* receive_types, MPI_Comm comm),
                 alltoall(sides_of(send, send_counts, send_displacements, send_types, receive, receive_counts,
                                   receive_displacements, receive_types, comm),
                          comm, name, report().Alltoallw_c))
#endif
