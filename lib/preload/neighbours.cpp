// Exchanges with the neighbours of a topology.

#include "neighbours.hpp"

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>

#include "alltoall_arguments.hpp"
#include "comm_state.hpp"
#include "interception.hpp"
#include "mpi/neighbour_plans.hpp"
#include "next_mpi.hpp"
#include "plan/neighbour_choice.hpp"
#include "replaced_call.hpp"

namespace cubefold::preload {

bool may_exchange_with_neighbours(MPI_Comm comm, const KnownProcesses& known) {
  const JobFacts& facts = known.facts();
  int topology = MPI_UNDEFINED;
  mpi::check(MPI_Topo_test(comm, &topology), "MPI_Topo_test");
  if (topology == MPI_UNDEFINED || !reason_for_neighbours_of_mpi(facts).empty()) return false;
  return topology != MPI_CART || facts.requests.neighbours.method == NeighbourMethod::direct;
}

bool prepare_neighbours(MPI_Comm comm, CommState& state, const Exchanges& exchanges) {
  if (!state.neighbours) {
    state.neighbours = std::make_unique<mpi::NeighbourPlans>(comm, exchanges.plans.shared_context(),
                                                             state.group->known.facts());
  }
  state.leaves_neighbours_to_mpi = state.neighbours->leaves_all_to_mpi();
  return !state.leaves_neighbours_to_mpi;
}

bool is_valid(mpi::NeighbourCall& call, std::size_t destination_count, std::size_t source_count) try {
  if (!call.sent().all_types(is_committed) || !call.received().all_types(is_committed)) return false;
  call.require_valid(destination_count, source_count);
  return true;
} catch (const std::invalid_argument&) {
  return false;
}

namespace {

using mpi::NeighbourCall;

/// Makes one collective call. Returns false if it is passed on.
template <typename Make>
bool run(MPI_Comm comm, CommState& state, const Exchanges& exchanges, Make make) {
  if (!prepare_neighbours(comm, state, exchanges)) return pass_on_as_chosen();
  const mpi::NeighbourPlans& neighbours = *state.neighbours;
  NeighbourCall call = make(neighbours.destination_count(), neighbours.source_count());
  if (!is_valid(call, neighbours.destination_count(), neighbours.source_count())) return false;
  if (call.has_one_size() && state.neighbours->leaves_next_to_mpi(*call.block_bytes()))
    return pass_on_as_chosen();
  if (is_on_device(state, {call.sent().memory(), call.received().memory()})) return false;
  state.neighbours->run(std::move(call));
  return true;
}

/// Makes a call whose arguments make() returns for a number of destinations and of sources, or passes it on.
template <typename Make>
int replace_neighbours(MPI_Comm comm, Name name, CallCount& count, Make make) {
  const auto ours = [&](CommState& state) {
    if (!state.neighbours && !state.leaves_neighbours_to_mpi)
      state.leaves_neighbours_to_mpi = !may_exchange_with_neighbours(comm, state.group->known);
    if (state.leaves_neighbours_to_mpi) return pass_on_as_chosen();
    if (state.neighbours && !make(0, 0).has_one_size() && state.neighbours->leaves_next_to_mpi())
      return pass_on_as_chosen();
    return exchange_on(
        comm, state, [&](CommState& each) { return exchanges_of(comm, each); },
        [&](const Exchanges& exchanges) { return run(comm, state, exchanges, make); });
  };
  const auto next = [&](const NextMpi& mpi) {
    const NeighbourCall call = make(0, 0);
#if MPI_VERSION >= 4
    if (call.have_large_counts())
      return call.pass_to<MPI_Count, MPI_Aint>(CUBEFOLD_NEIGHBOUR_FUNCTIONS(mpi.Neighbor_, _c), comm);
#endif
    return call.pass_to(mpi, comm);
  };
  return replace(comm, count, ours, [&] { return pass_on(name, next); });
}

}  // namespace

int exchange_with_neighbours(const mpi::NeighbourCall& call, MPI_Comm comm, Name name, CallCount& count) {
  return replace_neighbours(comm, name, count,
                            [&](std::size_t /*destinations*/, std::size_t /*sources*/) { return call; });
}

}  // namespace cubefold::preload

#define CUBEFOLD_REPLACE_NEIGHBOURS(kind, suffix, Count, Place)                                              \
  CUBEFOLD_REPLACE(                                                                                          \
      Neighbor_##kind##suffix, (CUBEFOLD_NEIGHBOUR_PARAMETERS_##kind(Count, Place), MPI_Comm comm),          \
      cubefold::preload::replace_neighbours(comm, name, cubefold::preload::report().Neighbor_##kind##suffix, \
                                            CUBEFOLD_NEIGHBOUR_CALL(kind)))

CUBEFOLD_FOR_NEIGHBOURS(CUBEFOLD_REPLACE_NEIGHBOURS, , int, int)
#if MPI_VERSION >= 4
CUBEFOLD_FOR_NEIGHBOURS(CUBEFOLD_REPLACE_NEIGHBOURS, _c, MPI_Count, MPI_Aint)
#endif
