#include "mpi4py_objects.hpp"

#include <mpi4py/mpi4py.h>

#include <stdexcept>

namespace py = pybind11;

namespace cubefold::python {

// The header of mpi4py keeps its functions in static variables, so that only this file can call them.
void load_mpi4py() {
  if (import_mpi4py() < 0) throw py::error_already_set();
}

MPI_Comm mpi_comm_of(const py::object& comm) {
  const MPI_Comm* found =
      PyObject_TypeCheck(comm.ptr(), &PyMPIComm_Type) != 0 ? PyMPIComm_Get(comm.ptr()) : nullptr;
  if (found == nullptr) throw py::type_error("Comm: the communicator is no mpi4py.MPI.Comm");
  return *found;
}

MPI_Datatype datatype_of(const py::handle& type) {
  const MPI_Datatype* found =
      PyObject_TypeCheck(type.ptr(), &PyMPIDatatype_Type) != 0 ? PyMPIDatatype_Get(type.ptr()) : nullptr;
  if (found == nullptr) throw std::invalid_argument("a datatype is no mpi4py.MPI.Datatype");
  return *found;
}

MPI_Op operation_of(const py::object& op) {
  if (op.is_none()) return MPI_SUM;
  const MPI_Op* found = PyObject_TypeCheck(op.ptr(), &PyMPIOp_Type) != 0 ? PyMPIOp_Get(op.ptr()) : nullptr;
  if (found == nullptr) throw std::invalid_argument("the operation is no mpi4py.MPI.Op");
  return *found;
}

bool is_in_place(const py::object& send) {
  return send.equal(py::module_::import("mpi4py.MPI").attr("IN_PLACE"));
}

py::object object_of(MPI_Comm comm) {
  return py::reinterpret_steal<py::object>(PyMPIComm_New(comm));
}

}  // namespace cubefold::python
