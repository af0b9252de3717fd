#pragma once

#include <pybind11/pybind11.h>

#include "handle.hpp"
#include "mpi/c_handles.hpp"

namespace cubefold::python {

inline int rank_of(const CommHandle& handle) {
  int rank = 0;
  check_status(cubefold_comm_rank(handle.comm, &rank));
  return rank;
}

inline int size_of(const CommHandle& handle) {
  return static_cast<int>(mpi::valid(handle.comm).placement().rank_count());
}

/// Runs work(plans) as one collective call. It has the checks of arrays, so that a process that fails them alone
/// notifies the others.
template <typename Work>
void exchange_on_all(const CommHandle& handle, const char* function, Work work) {
  check_status(mpi::guarded(function, [&] {
    cubefold_comm_s& comm = mpi::valid_handle(handle.comm);
    const pybind11::gil_scoped_release others_run;
    if (!comm.plans) comm.plans.emplace(comm.comm);
    comm.plans->context().notify_on_failure([&] { work(*comm.plans); });
  }));
}

}  // namespace cubefold::python
