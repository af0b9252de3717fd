#pragma once

#include <atomic>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "alltoall_plan.hpp"
#include "cubefold/cubefold.h"
#include "cubefold/mpi/owned_comm.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "neighbour_plans.hpp"
#include "plan_cache.hpp"
#include "waiting.hpp"

struct cubefold_comm_s {
  cubefold_comm_s(cubefold::mpi::VirtualComm made, cubefold::mpi::TimeLimit limit)
      : comm(std::move(made)),
        time_limit(limit),
        grid(to_string(comm.network())),
        placement(placement_text(comm)) {}

  cubefold::mpi::VirtualComm comm;
  cubefold::mpi::TimeLimit time_limit;
  std::string grid;
  std::string placement;
  std::optional<cubefold::mpi::PlanCache> plans;  // made by the first exchange
  cubefold::mpi::OwnedComm graph;                 // the topology of the caller's communicator, or none
  std::optional<cubefold::mpi::NeighbourPlans> neighbours;  // made by the first exchange with neighbours
  std::atomic<int> request_count = 0;                       // requests that are not freed
  std::string plan_text;                                    // the last text of cubefold_explain
};

namespace cubefold::mpi {

/// Keeps the text of the exception being handled for cubefold_last_error(), with the function's name before it, and
/// returns its error code. The C functions of other libraries call it as well.
CUBEFOLD_API int keep_failure(const char* function) noexcept;

/// Runs work(), and converts exceptions to error codes. Every function of the C interface that returns an error code is
/// one call of guarded().
template <typename Work>
int guarded(const char* function, Work work) noexcept {
  try {
    work();
    return CUBEFOLD_SUCCESS;
  } catch (...) {
    return keep_failure(function);
  }
}

inline cubefold_comm_s& valid_handle(cubefold_comm comm) {
  if (comm == nullptr) throw std::invalid_argument("the cubefold_comm is NULL");
  return *comm;
}

inline PlanCache& plans_of(cubefold_comm comm) {
  auto& handle = valid_handle(comm);
  if (!handle.plans) handle.plans.emplace(handle.comm);
  return *handle.plans;
}

/// Collective: returns the plans of the handle's neighbours, which the first call makes.
inline NeighbourPlans& neighbours_on(cubefold_comm comm) {
  cubefold_comm_s& handle = valid_handle(comm);
  if (handle.graph.get() == MPI_COMM_NULL) {
    throw std::invalid_argument(
        "the handle was made of a communicator without a topology, so it has no neighbours");
  }
  const PlanCache& plans = plans_of(comm);
  if (!handle.neighbours)
    handle.neighbours.emplace(handle.graph.get(), plans.shared_context(), plans.facts());
  return *handle.neighbours;
}

/// Runs work(plans), which is one collective call on the handle. If it fails on this process alone, the handle allows
/// no more exchanges.
template <typename Work>
void exchange_on(cubefold_comm comm, Work work) {
  PlanCache& plans = plans_of(comm);
  plans.context().notify_on_failure([&] { work(plans); });
}

inline VirtualComm& valid(cubefold_comm comm) {
  return valid_handle(comm).comm;
}

template <typename T>
T* valid_out(T* pointer) {
  if (pointer == nullptr) throw std::invalid_argument("the pointer for the result is NULL");
  return pointer;
}

}  // namespace cubefold::mpi
