#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "comm_call.hpp"
#include "mpi4py_objects.hpp"

namespace py = pybind11;

namespace cubefold::python {

namespace {

std::unique_ptr<CommHandle> made(const py::object& mpi4py_comm, const std::optional<std::string>& grid,
                                 const std::optional<std::string>& placement) {
  MPI_Comm base = mpi_comm_of(mpi4py_comm);
  auto handle = std::make_unique<CommHandle>();
  const py::gil_scoped_release others_run;
  check_status(cubefold_comm_create(base, grid ? grid->c_str() : nullptr,
                                    placement ? placement->c_str() : nullptr, &handle->comm));
  return handle;
}

int node_of(const CommHandle& handle) {
  int node = 0;
  check_status(cubefold_comm_node(handle.comm, &node));
  return node;
}

std::string grid_of(const CommHandle& handle) {
  const char* text = "";
  check_status(cubefold_comm_grid(handle.comm, &text));
  return text;
}

std::string placement_of(const CommHandle& handle) {
  const char* text = "";
  check_status(cubefold_comm_placement(handle.comm, &text));
  return text;
}

bool is_known(const CommHandle& handle) {
  int known = 0;
  check_status(cubefold_comm_is_known(handle.comm, &known));
  return known != 0;
}

int to_virtual(const CommHandle& handle, int node) {
  int rank = 0;
  check_status(cubefold_to_virtual(handle.comm, node, &rank));
  return rank;
}

int to_physical(const CommHandle& handle, int rank) {
  int node = 0;
  check_status(cubefold_to_physical(handle.comm, rank, &node));
  return node;
}

std::string explain(const CommHandle& handle, std::size_t block_bytes) {
  const py::gil_scoped_release others_run;
  const char* text = "";
  check_status(cubefold_explain(handle.comm, block_bytes, &text));
  return text;
}

py::object cart_create(const CommHandle& handle, const std::vector<int>& dims,
                       const std::vector<bool>& periods) {
  const std::vector<int> are_rings(periods.begin(), periods.end());
  const bool fits = are_rings.size() == dims.size();
  MPI_Comm cart = MPI_COMM_NULL;
  {
    const py::gil_scoped_release others_run;
    // Without dimensions the call fails on all processes.
    check_status(cubefold_cart_create(handle.comm, fits ? static_cast<int>(dims.size()) : 0, dims.data(),
                                      are_rings.data(), &cart));
  }
  return object_of(cart);
}

py::object split(const CommHandle& handle, const std::string& resource) {
  MPI_Comm part = MPI_COMM_NULL;
  {
    const py::gil_scoped_release others_run;
    check_status(cubefold_comm_split(handle.comm, resource.c_str(), &part));
  }
  return object_of(part);
}

void free_comm(CommHandle& handle) {
  const py::gil_scoped_release others_run;
  check_status(cubefold_comm_free(&handle.comm));
}

}  // namespace

}  // namespace cubefold::python

PYBIND11_MODULE(_mpi, module) {
  using namespace cubefold::python;  // NOLINT(google-build-using-namespace): all of this function is about it
  load_mpi4py();
  py::class_<CommHandle> comm(
      module, "Comm", "The processes of a communicator, their nodes, and the virtual ranks of a placement.");
  comm.def(py::init(&made), py::arg("comm"), py::arg("grid") = py::none(), py::arg("placement") = py::none(),
           "All processes must call this, and free() in the end. Without a grid or a placement, the "
           "environment\n"
           "variables CUBEFOLD_GRID and CUBEFOLD_PLACEMENT name it.")
      .def_property_readonly("rank", &rank_of, "The virtual rank of this process.")
      .def_property_readonly("size", &size_of)
      .def_property_readonly("node", &node_of, "The node of this process.")
      .def_property_readonly("grid", &grid_of, "The text of the network.")
      .def_property_readonly("placement", &placement_of, "The text of the placement.")
      .def_property_readonly("is_known", &is_known, "False if nothing is known of the network.")
      .def("to_virtual", &to_virtual, py::arg("node"), "Returns the virtual rank on a node.")
      .def("to_physical", &to_physical, py::arg("rank"), "Returns the node of a virtual rank.")
      .def("explain", &explain, py::arg("block_bytes"),
           "Returns how blocks of this size are exchanged, and why. All processes must call this.")
      .def("cart_create", &cart_create, py::arg("dims"), py::arg("periods"),
           "Returns an mpi4py.MPI.Cartcomm whose ranks suit a halo exchange. The caller frees it. All "
           "processes must\n"
           "call this.")
      .def("split", &split, py::arg("resource"),
           "Returns the mpi4py.MPI.Comm of the processes on the same resource of the network: 'axis/K',\n"
           "'plane/K-L', 'node' or 'slot'. The caller frees it. All processes must call this.")
      .def("free", &free_comm, "Frees the communicators. All processes must call this.")
      .def("__enter__", [](const py::object& self) { return self; })
      .def("__exit__", [](CommHandle& handle, const py::args&) { free_comm(handle); });
  bind_alltoalls(comm);
  bind_vectors(comm);
  bind_neighbours(comm);
}
