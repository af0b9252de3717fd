#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "comm_state.hpp"
#include "cubefold/export.h"
#include "cubefold/plan/mapping.hpp"
#include "interception.hpp"
#include "mpi/agreement.hpp"
#include "next_mpi.hpp"

namespace cubefold::preload {

namespace {

/// The search for a placement takes some tenths of a second at most.
constexpr std::uint64_t effort = 200'000'000;

/// The arguments of MPI_Cart_create as the program passes them.
struct CartArguments {
  MPI_Comm comm;
  int axis_count;
  const int* extents;
  const int* periodic;
  int reorder;
};

/// Returns whether the Cartesian grid has a place for every one of so many processes.
bool has_place_for_all(const CartArguments& a, std::size_t processes) {
  if (a.axis_count < 1 || a.extents == nullptr || a.periodic == nullptr) return false;
  std::size_t places = 1;
  for (const int extent : std::span(a.extents, static_cast<std::size_t>(a.axis_count))) {
    if (extent < 1 || static_cast<std::size_t>(extent) > processes / places) return false;
    places *= static_cast<std::size_t>(extent);
  }
  return places == processes;
}

/// Returns the phase of a halo exchange, such as `halo:12wx10`.
std::string halo_phase(const CartArguments& a) {
  std::string text = "halo:";
  for (int axis = 0; axis < a.axis_count; ++axis)
    text += fmt::format("{}{}{}", axis > 0 ? "x" : "", a.extents[axis], a.periodic[axis] != 0 ? "w" : "");
  return text;
}

/// Returns the node of every rank of the program's communicator.
std::vector<GridNode> nodes_of(const mpi::VirtualComm& comm) {
  if (comm.sharing() != nullptr) return node_of_rank(*comm.sharing());
  return node_of_rank(comm.placement());
}

/// Returns the Cartesian rank of a process: those on a node get the ranks that the mapping puts there, both in
/// ascending order.
std::size_t cart_rank(std::span<const GridNode> node_of_process, std::span<const GridNode> node_of_rank,
                      std::size_t process) {
  const GridNode node = node_of_process[process];
  auto before = std::ranges::count(node_of_process.first(process), node);
  const auto found =
      std::ranges::find_if(node_of_rank, [&](GridNode each) { return each == node && before-- == 0; });
  return static_cast<std::size_t>(found - node_of_rank.begin());
}

MappingOptions options_for(const mpi::VirtualComm& comm) {
  MappingOptions options;
  options.effort = effort;
  if (comm.sharing() == nullptr) return options;
  if (!comm.sharing()->is_even())
    throw std::invalid_argument("MPI_Cart_create: nodes have different numbers of processes");
  options.per_node = comm.sharing()->largest_group();
  return options;
}

/// Returns the Cartesian rank of this process that suits a halo exchange, or nothing if the ranks of the communicator
/// suit it as well. Does not communicate. All processes find the same mapping.
std::optional<int> rank_for_halo(const mpi::VirtualComm& comm, const CartArguments& a) {
  const std::vector<GridNode> node_of_process = nodes_of(comm);
  const auto phases = parse_phases(halo_phase(a), node_of_process.size());
  const MappingOptions options = options_for(comm);
  const Mapping mapping = choose_placement(comm.network(), phases, options);
  const MappingValues unchanged = evaluate(comm.network(), node_of_process, phases);
  if (mapping.values.exact_objective >= unchanged.exact_objective) return std::nullopt;
  return static_cast<int>(cart_rank(node_of_process, mapping.node_of_rank, label(comm.rank())));
}

/// Collective: makes the communicator by MPI's own function from one whose ranks are in the new order.
int create_reordered(const CartArguments& a, int own_rank, MPI_Comm* cart) {
  MPI_Comm ordered = MPI_COMM_NULL;
  const int code = MPI_Comm_split(a.comm, 0, own_rank, &ordered);
  if (code != MPI_SUCCESS) return code;
  const int made = next_mpi().cart_create(ordered, a.axis_count, a.extents, a.periodic, 0, cart);
  MPI_Comm_free(&ordered);
  return made;
}

/// Collective: returns the new rank of this process, or nothing if the call is passed on.
std::optional<int> new_rank(const CartArguments& a) {
  CommState* state = a.comm == MPI_COMM_NULL ? nullptr : state_of(a.comm);
  if (state == nullptr || !has_place_for_all(a, state->comm.placement().rank_count())) return std::nullopt;
  const InsideLibrary inside;
  std::optional<int> rank;
  try {
    mpi::collective_try(state->comm.virtual_comm(), [&] { rank = rank_for_halo(state->comm, a); });
  } catch (const mpi::Agreed&) {
    note_reason(mpi::current_failure().text.c_str());
    return std::nullopt;
  }
  return rank;
}

int cart_create(const CartArguments& a, MPI_Comm* cart) {
  if (!may_replace())
    return next_mpi().cart_create(a.comm, a.axis_count, a.extents, a.periodic, a.reorder, cart);
  std::optional<int> rank;
  try {
    if (a.reorder != 0 && may_reorder()) rank = new_rank(a);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "cubefold: MPI_Cart_create: %s\n", failure.what());
    MPI_Comm_call_errhandler(a.comm, MPI_ERR_OTHER);
    return MPI_ERR_OTHER;
  }
  if (rank) {
    ++report().cart_create.ours;
    const InsideLibrary inside;
    return create_reordered(a, *rank, cart);
  }
  ++report().cart_create.passed_on;
  return next_mpi().cart_create(a.comm, a.axis_count, a.extents, a.periodic, a.reorder, cart);
}

}  // namespace

}  // namespace cubefold::preload

extern "C" {

CUBEFOLD_API int MPI_Cart_create(MPI_Comm comm, int axis_count, const int* extents, const int* periodic,
                                 int reorder, MPI_Comm* cart) {
  return cubefold::preload::cart_create({comm, axis_count, extents, periodic, reorder}, cart);
}

CUBEFOLD_API int PMPI_Cart_create(MPI_Comm comm, int axis_count, const int* extents, const int* periodic,
                                  int reorder, MPI_Comm* cart) {
  return cubefold::preload::cart_create({comm, axis_count, extents, periodic, reorder}, cart);
}
}
