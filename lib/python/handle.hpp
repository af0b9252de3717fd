#pragma once

#include <stdexcept>
#include <string>

#include "cubefold/cubefold.h"

namespace cubefold::python {

/// Throws the exception of a code that a function of the C interface returned, with the text of cubefold_last_error():
/// std::invalid_argument for CUBEFOLD_ERROR_ARGUMENT, which is a ValueError, and std::runtime_error for others.
inline void check_status(int status) {
  if (status == CUBEFOLD_ERROR_ARGUMENT) throw std::invalid_argument(cubefold_last_error());
  if (status != CUBEFOLD_SUCCESS) throw std::runtime_error(cubefold_last_error());
}

/// Holds the handle of a `Comm`, which the extensions `_mpi` and `_fft` share. The handle is NULL after free(). An
/// object that is not freed leaves its handle, as mpi4py leaves communicators, because freeing is a collective call and
/// garbage is collected at another time on each process.
struct CommHandle {
  cubefold_comm comm = nullptr;
};

}  // namespace cubefold::python
