#include <fmt/format.h>
#include <mpi4py/mpi4py.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <climits>
#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "cubefold/cubefold.h"
#include "handle.hpp"
#include "mpi/c_handles.hpp"

namespace py = pybind11;

namespace cubefold::python {

namespace {

MPI_Comm mpi_comm_of(const py::object& comm) {
  const MPI_Comm* found =
      PyObject_TypeCheck(comm.ptr(), &PyMPIComm_Type) != 0 ? PyMPIComm_Get(comm.ptr()) : nullptr;
  if (found == nullptr) throw py::type_error("Comm: the communicator is no mpi4py.MPI.Comm");
  return *found;
}

std::unique_ptr<CommHandle> made(const py::object& mpi4py_comm, const std::optional<std::string>& grid,
                                 const std::optional<std::string>& placement) {
  const MPI_Comm base = mpi_comm_of(mpi4py_comm);
  auto handle = std::make_unique<CommHandle>();
  const py::gil_scoped_release others_run;
  check_status(cubefold_comm_create(base, grid ? grid->c_str() : nullptr,
                                    placement ? placement->c_str() : nullptr, &handle->comm));
  return handle;
}

int rank_of(const CommHandle& handle) {
  int rank = 0;
  check_status(cubefold_comm_rank(handle.comm, &rank));
  return rank;
}

int size_of(const CommHandle& handle) {
  return static_cast<int>(mpi::valid(handle.comm).placement().rank_count());
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

void require_contiguous(const py::array& array, const char* name) {
  if ((array.flags() & py::array::c_style) == 0)
    throw std::invalid_argument(fmt::format("the {} array is not contiguous", name));
  if (array.dtype().kind() == 'O')
    throw std::invalid_argument(fmt::format("the {} array holds Python objects", name));
}

bool overlap(const py::array& a, const py::array& b) {
  const auto* first = static_cast<const std::byte*>(a.data());
  const auto* second = static_cast<const std::byte*>(b.data());
  return a.nbytes() > 0 && b.nbytes() > 0 && first < second + b.nbytes() && second < first + a.nbytes();
}

/// Returns the bytes of a block, after it has checked that the arrays can be exchanged.
int block_bytes_of(const py::array& send, const py::array& receive, int size) {
  require_contiguous(send, "send");
  require_contiguous(receive, "receive");
  if (!receive.writeable()) throw std::invalid_argument("the receive array is read-only");
  if (overlap(send, receive)) throw std::invalid_argument("the arrays overlap");
  if (!send.dtype().equal(receive.dtype())) throw std::invalid_argument("the arrays have different dtypes");
  if (send.size() != receive.size()) {
    throw std::invalid_argument(
        fmt::format("{} elements to send are not {} to receive", send.size(), receive.size()));
  }
  if (send.size() % size != 0)
    throw std::invalid_argument(
        fmt::format("{} elements are not equal blocks of {} ranks", send.size(), size));
  const auto bytes = send.nbytes() / size;
  if (bytes > INT_MAX)
    throw std::invalid_argument(fmt::format("a block of {} bytes exceeds 2^31 - 1", bytes));
  return static_cast<int>(bytes);
}

/// Runs the checks inside the collective call, so that a process that fails them alone notifies the others.
int exchange(const CommHandle& handle, const py::array& send, py::array& receive) {
  return mpi::guarded("cubefold_alltoall", [&] {
    cubefold_comm_s& comm = mpi::valid_handle(handle.comm);
    const py::gil_scoped_release others_run;
    if (!comm.plans) comm.plans.emplace(comm.comm);
    comm.plans->context().collectively([&] {
      mpi::AlltoallBuffers buffers{nullptr, 0, MPI_BYTE, nullptr, 0, MPI_BYTE};
      {
        const py::gil_scoped_acquire python;
        buffers.send_count = buffers.receive_count = block_bytes_of(send, receive, size_of(handle));
        buffers.send = send.data();
        buffers.receive = receive.mutable_data();
      }
      comm.plans->for_blocks(buffers.block_bytes())->run(buffers);
    });
  });
}

void alltoall(const CommHandle& handle, const py::array& send, py::array receive) {
  check_status(exchange(handle, send, receive));
}

void free_comm(CommHandle& handle) {
  const py::gil_scoped_release others_run;
  check_status(cubefold_comm_free(&handle.comm));
}

}  // namespace

}  // namespace cubefold::python

PYBIND11_MODULE(_mpi, module) {
  using namespace cubefold::python;  // NOLINT(google-build-using-namespace): all of this function is about it
  if (import_mpi4py() < 0) throw py::error_already_set();
  py::class_<CommHandle>(
      module, "Comm", "The processes of a communicator, their nodes, and the virtual ranks of a placement.")
      .def(py::init(&made), py::arg("comm"), py::arg("grid") = py::none(), py::arg("placement") = py::none(),
           "All processes must call this, and free() in the end. Without a grid or a placement, the "
           "environment\n"
           "variables CUBEFOLD_GRID and CUBEFOLD_PLACEMENT name it.")
      .def_property_readonly("rank", &rank_of, "The virtual rank of this process.")
      .def_property_readonly("size", &size_of)
      .def("to_virtual", &to_virtual, py::arg("node"), "Returns the virtual rank on a node.")
      .def("to_physical", &to_physical, py::arg("rank"), "Returns the node of a virtual rank.")
      .def("explain", &explain, py::arg("block_bytes"),
           "Returns how blocks of this size are exchanged, and why. All processes must call this.")
      .def("alltoall", &alltoall, py::arg("send"), py::arg("receive").noconvert(),
           "Sends block j of the contiguous array `send` to rank j, and receives block i of `receive` from "
           "rank i.\n"
           "All processes must call this.")
      .def("free", &free_comm, "Frees the communicators. All processes must call this.")
      .def("__enter__", [](const py::object& self) { return self; })
      .def("__exit__", [](CommHandle& handle, const py::args&) { free_comm(handle); });
}
