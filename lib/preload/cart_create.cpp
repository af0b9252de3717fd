#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <exception>
#include <optional>

#include "comm_state.hpp"
#include "cubefold/export.h"
#include "interception.hpp"
#include "mpi/agreement.hpp"
#include "mpi/halo_order.hpp"
#include "next_mpi.hpp"

namespace cubefold::preload {

namespace {

/// The arguments of MPI_Cart_create as the program passes them.
struct CartArguments {
  MPI_Comm comm;
  int axis_count;
  const int* extents;
  const int* periodic;
  int reorder;
};

/// Returns the grid, or nothing if the arguments are not ones that MPI takes.
std::optional<mpi::CartShape> shape_of(const CartArguments& a) {
  if (a.axis_count < 1 || a.extents == nullptr || a.periodic == nullptr) return std::nullopt;
  const auto count = static_cast<std::size_t>(a.axis_count);
  return mpi::CartShape{{a.extents, count}, {a.periodic, count}};
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
  const auto shape = shape_of(a);
  if (state == nullptr || !shape || !has_place_for_all(*shape, state->comm.placement().rank_count()))
    return std::nullopt;
  const InsideLibrary inside;
  const NodeSharing* sharing = state->comm.sharing();
  if (sharing != nullptr && !sharing->is_even())
    note_reason("MPI_Cart_create: nodes have different numbers of processes");
  std::optional<int> rank;
  try {
    mpi::collective_try(state->comm.virtual_comm(), [&] { rank = rank_for_halo(state->comm, *shape); });
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
