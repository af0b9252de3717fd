#pragma once

#include <pybind11/pybind11.h>

namespace cubefold::python {

/// Each of these adds the classes and functions of one topic to the module `_core`. bind_network() comes first, because
/// the others use its classes.
void bind_network(pybind11::module_& module);
void bind_exchange(pybind11::module_& module);
void bind_mapping(pybind11::module_& module);

struct CommHandle;

/// Each of these adds the methods of one topic to the class `Comm` of the module `_mpi`.
void bind_alltoalls(pybind11::class_<CommHandle>& comm);
void bind_vectors(pybind11::class_<CommHandle>& comm);
void bind_neighbours(pybind11::class_<CommHandle>& comm);

}  // namespace cubefold::python
