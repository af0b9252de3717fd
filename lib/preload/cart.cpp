#include <mpi.h>

#include <cstddef>
#include <optional>

#include "mpi/suited_ranks.hpp"
#include "next_mpi.hpp"
#include "progress_thread.hpp"
#include "reordering.hpp"

namespace cubefold::preload {

namespace {

/// The arguments of MPI_Cart_create and MPI_Cart_map as the program passes them.
struct CartArguments {
  MPI_Comm comm;
  int axis_count;
  const int* extents;
  const int* periodic;
};

/// Returns the grid, or nothing if the arguments are not ones that MPI takes.
std::optional<mpi::CartShape> shape_of(const CartArguments& a) {
  if (a.axis_count < 1 || a.extents == nullptr || a.periodic == nullptr) return std::nullopt;
  const auto count = static_cast<std::size_t>(a.axis_count);
  return mpi::CartShape{{a.extents, count}, {a.periodic, count}};
}

/// Collective: returns the new rank of this process, or nothing if the call is passed on.
std::optional<int> cart_rank(const CartArguments& a, const mpi::VirtualComm& comm) {
  const auto shape = shape_of(a);
  if (!shape || !has_place_for_all(*shape, comm.placement().rank_count())) return std::nullopt;
  return mpi::agree_on_outcome(comm.virtual_comm(), [&] { return rank_for_halo(comm, *shape); });
}

int cart_create(const CartArguments& a, int may_differ, MPI_Comm* cart, Name name) {
  const auto make = [&](MPI_Comm comm, int reorder) {
    return pass_on(name, [&](const NextMpi& mpi) {
      return mpi.Cart_create(comm, a.axis_count, a.extents, a.periodic, reorder, cart);
    });
  };
  const int code = reorder(
      a.comm, may_differ != 0 && cart != nullptr, report().Cart_create,
      [&](const mpi::VirtualComm& comm) { return cart_rank(a, comm); },
      [&](int rank) {
        return in_new_order(a.comm, rank, [&](MPI_Comm ordered) { return make(ordered, 0); });
      },
      [&] { return make(a.comm, may_differ); });
  return code == MPI_SUCCESS ? with_progress_thread(a.comm, cart) : code;
}

int cart_map(const CartArguments& a, int* new_rank, Name name) {
  const auto next = [&](const NextMpi& mpi) {
    return mpi.Cart_map(a.comm, a.axis_count, a.extents, a.periodic, new_rank);
  };
  return reorder(
      a.comm, new_rank != nullptr, report().Cart_map,
      [&](const mpi::VirtualComm& comm) { return cart_rank(a, comm); },
      [&](int rank) {
        *new_rank = rank;
        return MPI_SUCCESS;
      },
      [&] { return pass_on(name, next); });
}

}  // namespace

}  // namespace cubefold::preload

using cubefold::preload::cart_create;
using cubefold::preload::cart_map;

CUBEFOLD_REPLACE(Cart_create,
                 (MPI_Comm comm, int axis_count, const int* extents, const int* periodic, int reorder,
                  MPI_Comm* cart),
                 cart_create({comm, axis_count, extents, periodic}, reorder, cart, name))

CUBEFOLD_REPLACE(Cart_map,
                 (MPI_Comm comm, int axis_count, const int* extents, const int* periodic, int* new_rank),
                 cart_map({comm, axis_count, extents, periodic}, new_rank, name))
