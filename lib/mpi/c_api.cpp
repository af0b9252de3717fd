#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "agreement.hpp"
#include "c_handles.hpp"
#include "cubefold/mpi/cart_create.hpp"
#include "cubefold/mpi/comm_split.hpp"
#include "cubefold/mpi/error.hpp"
#include "neighbours.hpp"
#include "processes.hpp"
#include "settings.hpp"

using cubefold::mpi::guarded;
using cubefold::mpi::Status;
using cubefold::mpi::valid;
using cubefold::mpi::valid_handle;
using cubefold::mpi::valid_out;
using cubefold::mpi::VirtualComm;

static_assert(CUBEFOLD_SUCCESS == static_cast<int>(Status::success));
static_assert(CUBEFOLD_ERROR_ARGUMENT == static_cast<int>(Status::argument));
static_assert(CUBEFOLD_ERROR_MPI == static_cast<int>(Status::mpi));
static_assert(CUBEFOLD_ERROR_MEMORY == static_cast<int>(Status::memory));
static_assert(CUBEFOLD_ERROR_INTERNAL == static_cast<int>(Status::internal));
static_assert(CUBEFOLD_ERROR_TIMEOUT == static_cast<int>(Status::timeout));

namespace {

thread_local std::string last_error;

std::optional<std::string_view> optional_text(const char* text) {
  return text == nullptr ? std::nullopt : std::optional<std::string_view>(text);
}

/// Completes the exchanges that are under way, because a call that waits for all processes would not advance them.
void complete_exchanges(const cubefold_comm_s& comm) {
  if (comm.plans) comm.plans->context().drain();
}

/// Creates a handle on the communicators that make() returns.
template <typename Make>
void create(MPI_Comm mpi_comm, cubefold_comm* comm, Make make) {
  if (comm != nullptr) *comm = nullptr;
  VirtualComm made = make();
  const auto limit = cubefold::mpi::TimeLimit::on(made.virtual_comm());
  std::unique_ptr<cubefold_comm_s> handle;
  cubefold::mpi::agree_on_outcome(made.virtual_comm(), [&] {
    valid_out(comm);
    handle = std::make_unique<cubefold_comm_s>(std::move(made), limit);
  });
  if (cubefold::mpi::neighbours_of(mpi_comm))
    handle->graph =
        cubefold::mpi::with_topology_of(mpi_comm, cubefold::mpi::agreed_duplicate(mpi_comm).get());
  // The first exchange could not leave the calls of MPI that make communicators. Files of hints are refused here.
  if (limit.exists() || cubefold::mpi::name_files(handle->comm.hints().get()))
    cubefold::mpi::plans_of(handle.get());
  *comm = handle.release();
}

}  // namespace

int cubefold::mpi::keep_failure(const char* function) noexcept {
  Failure failure = current_failure();
  try {
    last_error = std::string(function) + ": " + failure.text;
  } catch (const std::bad_alloc&) {
    last_error = std::move(failure.text);
  }
  return static_cast<int>(failure.status);
}

int cubefold_comm_create(MPI_Comm mpi_comm, const char* grid, const char* placement, cubefold_comm* comm) {
  return guarded("cubefold_comm_create", [&] {
    create(mpi_comm, comm,
           [&] { return VirtualComm(mpi_comm, optional_text(grid), optional_text(placement)); });
  });
}

int cubefold_comm_create_with_info(MPI_Comm mpi_comm, MPI_Info info, cubefold_comm* comm) {
  return guarded("cubefold_comm_create_with_info",
                 [&] { create(mpi_comm, comm, [&] { return VirtualComm(mpi_comm, info); }); });
}

int cubefold_comm_free(cubefold_comm* comm) {
  return guarded("cubefold_comm_free", [&] {
    if (*valid_out(comm) == nullptr) return;
    const auto require_no_requests = [&] {
      const int count = (*comm)->request_count;
      if (count > 0) {
        throw std::invalid_argument("requests of the cubefold_comm are not freed yet: " +
                                    std::to_string(count));
      }
    };
    int code = MPI_SUCCESS;
    complete_exchanges(**comm);
    if ((*comm)->plans && (*comm)->plans->context().has_timed_out()) {
      require_no_requests();  // on this process alone, because another one may be missing
    } else {
      cubefold::mpi::agree_on_outcome((*comm)->comm.virtual_comm(), require_no_requests);
      if ((*comm)->plans) code = (*comm)->plans->context().agree_on_failures();
    }
    std::unique_ptr<cubefold_comm_s>(std::exchange(*comm, nullptr)).reset();
    cubefold::mpi::check(code, "MPI_Allreduce");
  });
}

MPI_Comm cubefold_comm_virtual(cubefold_comm comm) {
  return comm == nullptr ? MPI_COMM_NULL : comm->comm.virtual_comm();
}

MPI_Comm cubefold_comm_cart(cubefold_comm comm) {
  return comm == nullptr ? MPI_COMM_NULL : comm->comm.cart_comm();
}

int cubefold_cart_create(cubefold_comm comm, int ndims, const int dims[], const int periods[],
                         MPI_Comm* cart) {
  return guarded("cubefold_cart_create", [&] {
    if (cart != nullptr) *cart = MPI_COMM_NULL;
    const VirtualComm& processes = valid(comm);
    complete_exchanges(*comm);
    if (comm->plans && comm->plans->context().has_timed_out()) comm->plans->context().throw_if_failed();
    cubefold::mpi::agree_on_outcome(processes.virtual_comm(), [&] {
      valid_out(cart);
      if (ndims < 1 || dims == nullptr || periods == nullptr)
        throw std::invalid_argument("ndims is below 1, or dims or periods is NULL");
    });
    const auto count = static_cast<std::size_t>(ndims);
    *cart = cubefold::mpi::cart_create(processes, {dims, count}, {periods, count}).release();
  });
}

int cubefold_comm_split(cubefold_comm comm, const char* resource, MPI_Comm* part) {
  return guarded("cubefold_comm_split", [&] {
    if (part != nullptr) *part = MPI_COMM_NULL;
    const VirtualComm& processes = valid(comm);
    complete_exchanges(*comm);
    if (comm->plans && comm->plans->context().has_timed_out()) comm->plans->context().throw_if_failed();
    cubefold::mpi::agree_on_outcome(processes.virtual_comm(), [&] {
      valid_out(part);
      if (resource == nullptr) throw std::invalid_argument("the name of the resource is NULL");
    });
    *part = cubefold::mpi::comm_split(processes, resource).release();
  });
}

int cubefold_to_virtual(cubefold_comm comm, int node, int* rank) {
  return guarded("cubefold_to_virtual", [&] { *valid_out(rank) = valid(comm).to_virtual(node); });
}

int cubefold_to_physical(cubefold_comm comm, int rank, int* node) {
  return guarded("cubefold_to_physical", [&] { *valid_out(node) = valid(comm).to_physical(rank); });
}

int cubefold_comm_size(cubefold_comm comm, int* size) {
  return guarded("cubefold_comm_size",
                 [&] { *valid_out(size) = static_cast<int>(valid(comm).placement().rank_count()); });
}

int cubefold_comm_rank(cubefold_comm comm, int* rank) {
  return guarded("cubefold_comm_rank",
                 [&] { *valid_out(rank) = static_cast<int>(label(valid(comm).rank())); });
}

int cubefold_comm_node(cubefold_comm comm, int* node) {
  return guarded("cubefold_comm_node", [&] {
    const VirtualComm& processes = valid(comm);
    const auto* sharing = processes.sharing();
    *valid_out(node) = static_cast<int>(sharing != nullptr ? sharing->node_of(processes.rank())
                                                           : processes.placement().node_of(processes.rank()));
  });
}

int cubefold_comm_grid(cubefold_comm comm, const char** grid) {
  return guarded("cubefold_comm_grid", [&] { *valid_out(grid) = valid_handle(comm).grid.c_str(); });
}

int cubefold_comm_placement(cubefold_comm comm, const char** placement) {
  return guarded("cubefold_comm_placement",
                 [&] { *valid_out(placement) = valid_handle(comm).placement.c_str(); });
}

int cubefold_comm_is_known(cubefold_comm comm, int* is_known) {
  return guarded("cubefold_comm_is_known",
                 [&] { *valid_out(is_known) = valid(comm).knows_network() ? 1 : 0; });
}

int cubefold_v_get_pid(cubefold_comm comm, int* rank) {
  return cubefold_comm_rank(comm, rank);
}

const char* cubefold_error_string(int error) {
  switch (error) {
    case CUBEFOLD_SUCCESS:
      return "no error";
    case CUBEFOLD_ERROR_ARGUMENT:
      return "an argument breaks a rule";
    case CUBEFOLD_ERROR_MPI:
      return "an MPI call failed";
    case CUBEFOLD_ERROR_MEMORY:
      return "not enough memory";
    case CUBEFOLD_ERROR_INTERNAL:
      return "a defect of cubefold";
    case CUBEFOLD_ERROR_TIMEOUT:
      return "another process did not come in time";
    default:
      return "no error code of cubefold";
  }
}

const char* cubefold_last_error(void) {
  return last_error.c_str();
}

const char* cubefold_version(void) {
  return CUBEFOLD_VERSION;
}
