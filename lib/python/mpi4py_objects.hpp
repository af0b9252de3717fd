#pragma once

#include <mpi.h>
#include <pybind11/pybind11.h>

namespace cubefold::python {

/// Loads the functions of mpi4py for this file's others. Throws pybind11::error_already_set if there is no mpi4py.
void load_mpi4py();

/// Returns what an object of mpi4py holds. Throws pybind11::type_error for an object that is no mpi4py.MPI.Comm.
MPI_Comm mpi_comm_of(const pybind11::object& comm);

/// Throws std::invalid_argument for an object that is no mpi4py.MPI.Datatype.
MPI_Datatype datatype_of(const pybind11::handle& type);

/// Returns the operation of an mpi4py.MPI.Op, or MPI_SUM for None. Throws std::invalid_argument for others.
MPI_Op operation_of(const pybind11::object& op);

/// Returns whether an object is mpi4py.MPI.IN_PLACE, which is an int.
bool is_in_place(const pybind11::object& send);

/// Returns an mpi4py.MPI.Comm that the caller frees.
pybind11::object object_of(MPI_Comm comm);

}  // namespace cubefold::python
