// Exchanges with the neighbours of a topology.

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <span>

#include "comm_state.hpp"
#include "interception.hpp"
#include "mpi/neighbour_plans.hpp"
#include "next_mpi.hpp"
#include "plan/neighbour_choice.hpp"
#include "replaced_call.hpp"

namespace cubefold::preload {

namespace {

using mpi::Blocks;
using mpi::NeighbourCall;
using mpi::NeighbourFunction;

/// Returns whether cubefold may make calls with neighbours on a communicator, by what all its processes know alike.
/// Costs a copy of a text.
bool may_exchange(MPI_Comm comm, const CommState& state) {
  const JobFacts& facts = state.group->known.facts();
  int topology = MPI_UNDEFINED;
  mpi::check(MPI_Topo_test(comm, &topology), "MPI_Topo_test");
  if (topology == MPI_UNDEFINED || !reason_for_neighbours_of_mpi(facts).empty()) return false;
  return topology != MPI_CART || facts.requests.neighbours.method == NeighbourMethod::direct;
}

/// Makes one collective call. Returns false if it is passed on.
template <typename Make>
bool run(MPI_Comm comm, CommState& state, const Exchanges& exchanges, Make make) {
  if (!state.neighbours) {
    state.neighbours = std::make_unique<mpi::NeighbourPlans>(comm, exchanges.plans.shared_context(),
                                                             state.group->known.facts());
  }
  state.leaves_neighbours_to_mpi = state.neighbours->leaves_all_to_mpi();
  if (state.leaves_neighbours_to_mpi) return pass_on_as_chosen();
  const NeighbourCall call = make(state.neighbours->destination_count(), state.neighbours->source_count());
  if (is_on_device(state, {call.sent().memory(), call.received().memory()})) return false;
  state.neighbours->run(call);
  return true;
}

/// Makes a call whose arguments make() returns for a number of destinations and of sources, or passes it on.
template <typename Make>
int replace_neighbours(MPI_Comm comm, Name name, CallCount& count, Make make) {
  const auto ours = [&](CommState& state) {
    if (!state.neighbours && !state.leaves_neighbours_to_mpi)
      state.leaves_neighbours_to_mpi = !may_exchange(comm, state);
    if (state.leaves_neighbours_to_mpi) return pass_on_as_chosen();
    return exchange_on(
        comm, state, [&](CommState& each) { return exchanges_of(comm, each); },
        [&](const Exchanges& exchanges) { return run(comm, state, exchanges, make); });
  };
  const auto next = [&](const NextMpi& mpi) { return make(0, 0).pass_to(mpi, comm); };
  return replace(comm, count, ours, [&] { return pass_on(name, next); });
}

/// Returns an array of the program, which has `size` elements.
template <typename T>
std::span<const T> all(const T* array, std::size_t size) {
  return {array, size};
}

}  // namespace

}  // namespace cubefold::preload

using cubefold::mpi::Blocks;
using cubefold::mpi::NeighbourCall;
using cubefold::mpi::NeighbourFunction;
using cubefold::preload::all;
using cubefold::preload::replace_neighbours;
using cubefold::preload::report;

/// Replaces a function whose call has these blocks, which name the numbers of destinations and of sources.
#define CUBEFOLD_REPLACE_NEIGHBOURS(function, kind, parameters, sent, received)                  \
  CUBEFOLD_REPLACE(                                                                              \
      function, parameters,                                                                      \
      replace_neighbours(                                                                        \
          comm, name, report().function,                                                         \
          [&]([[maybe_unused]] std::size_t destinations, [[maybe_unused]] std::size_t sources) { \
            return NeighbourCall(NeighbourFunction::kind, Blocks sent, Blocks received);         \
          }))

CUBEFOLD_REPLACE_NEIGHBOURS(Neighbor_alltoall, alltoall,
                            (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                             int receive_count, MPI_Datatype receive_type, MPI_Comm comm),
                            (send, send_count, send_type), (receive, receive_count, receive_type))

CUBEFOLD_REPLACE_NEIGHBOURS(Neighbor_alltoallv, alltoallv,
                            (const void* send, const int* send_counts, const int* send_displacements,
                             MPI_Datatype send_type, void* receive, const int* receive_counts,
                             const int* receive_displacements, MPI_Datatype receive_type, MPI_Comm comm),
                            (send, all(send_counts, destinations), all(send_displacements, destinations),
                             send_type),
                            (receive, all(receive_counts, sources), all(receive_displacements, sources),
                             receive_type))

CUBEFOLD_REPLACE_NEIGHBOURS(Neighbor_alltoallw, alltoallw,
                            (const void* send, const int* send_counts, const MPI_Aint* send_displacements,
                             const MPI_Datatype* send_types, void* receive, const int* receive_counts,
                             const MPI_Aint* receive_displacements, const MPI_Datatype* receive_types,
                             MPI_Comm comm),
                            (send, all(send_counts, destinations), all(send_displacements, destinations),
                             all(send_types, destinations)),
                            (receive, all(receive_counts, sources), all(receive_displacements, sources),
                             all(receive_types, sources)))

CUBEFOLD_REPLACE_NEIGHBOURS(Neighbor_allgather, allgather,
                            (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                             int receive_count, MPI_Datatype receive_type, MPI_Comm comm),
                            (send, send_count, send_type), (receive, receive_count, receive_type))

CUBEFOLD_REPLACE_NEIGHBOURS(Neighbor_allgatherv, allgatherv,
                            (const void* send, int send_count, MPI_Datatype send_type, void* receive,
                             const int* receive_counts, const int* receive_displacements,
                             MPI_Datatype receive_type, MPI_Comm comm),
                            (send, send_count, send_type),
                            (receive, all(receive_counts, sources), all(receive_displacements, sources),
                             receive_type))
