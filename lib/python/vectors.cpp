#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <optional>
#include <stdexcept>
#include <string>

#include "bindings.hpp"
#include "comm_call.hpp"
#include "messages.hpp"
#include "mpi/vector_call.hpp"
#include "mpi4py_objects.hpp"

namespace py = pybind11;

namespace cubefold::python {

namespace {

/// Returns MPI's datatype for the elements of an array that are reduced.
MPI_Datatype number_type(const py::array& array) {
  const char kind = array.dtype().kind();
  const py::ssize_t bytes = array.itemsize();
  const auto of_size = [&](MPI_Datatype one, MPI_Datatype two, MPI_Datatype four, MPI_Datatype eight) {
    return bytes == 1 ? one : bytes == 2 ? two : bytes == 4 ? four : bytes == 8 ? eight : MPI_DATATYPE_NULL;
  };
  MPI_Datatype type = MPI_DATATYPE_NULL;
  if (kind == 'i') type = of_size(MPI_INT8_T, MPI_INT16_T, MPI_INT32_T, MPI_INT64_T);
  if (kind == 'u') type = of_size(MPI_UINT8_T, MPI_UINT16_T, MPI_UINT32_T, MPI_UINT64_T);
  if (kind == 'f') type = of_size(MPI_DATATYPE_NULL, MPI_DATATYPE_NULL, MPI_FLOAT, MPI_DOUBLE);
  if (kind == 'c' && bytes == 8) type = MPI_C_FLOAT_COMPLEX;
  if (kind == 'c' && bytes == 16) type = MPI_C_DOUBLE_COMPLEX;
  if (kind == 'b') type = MPI_C_BOOL;
  if (type == MPI_DATATYPE_NULL) {
    throw std::invalid_argument(
        fmt::format("elements of dtype {} are not reduced", std::string(py::str(array.dtype()))));
  }
  return type;
}

/// Makes one collective call with the arguments that make(type of elements) returns while Python is locked.
template <typename Make>
void reduce_or_gather(const CommHandle& handle, const char* function, Make make) {
  exchange_on_all(handle, function, [&](mpi::PlanCache& plans) {
    std::optional<mpi::VectorArguments> arguments;
    {
      const py::gil_scoped_acquire python;
      arguments = make();
    }
    const mpi::VectorCall call(*arguments, static_cast<std::size_t>(size_of(handle)),
                               static_cast<std::size_t>(rank_of(handle)));
    plans.vectors().run(call);
  });
}

void allreduce(const CommHandle& handle, const py::array& send, py::array receive, const py::object& op) {
  reduce_or_gather(handle, "cubefold_allreduce", [&] {
    require_exchangeable(send, receive);
    require_elements(receive, send.size(), "receive");
    return mpi::VectorArguments::allreduce(send.data(), receive.mutable_data(), int_count(send.size()),
                                           number_type(send), operation_of(op));
  });
}

void reduce_scatter(const CommHandle& handle, const py::array& send, py::array receive,
                    const std::optional<Counts>& counts, const py::object& op) {
  IntLayout layout;
  reduce_or_gather(handle, "cubefold_reduce_scatter", [&] {
    require_exchangeable(send, receive);
    const int size = size_of(handle);
    if (!counts) {
      require_elements(send, receive.size() * size, "send");
      return mpi::VectorArguments::reduce_scatter_block(send.data(), receive.mutable_data(),
                                                        int_count(receive.size()), number_type(send),
                                                        operation_of(op));
    }
    layout = int_layout_of(send, "send", *counts, size);
    require_elements(receive, layout.counts[static_cast<std::size_t>(rank_of(handle))], "receive");
    return mpi::VectorArguments::reduce_scatter(send.data(), receive.mutable_data(), layout.counts,
                                                number_type(send), operation_of(op));
  });
}

void allgather(const CommHandle& handle, const py::array& send, py::array receive,
               const std::optional<Counts>& counts) {
  std::optional<ElementType> type;
  IntLayout layout;
  reduce_or_gather(handle, "cubefold_allgather", [&] {
    require_exchangeable(send, receive);
    const int size = size_of(handle);
    const int own = int_count(send.size());
    type.emplace(send);
    if (!counts) {
      require_elements(receive, send.size() * size, "receive");
      return mpi::VectorArguments::allgather(send.data(), own, type->get(), receive.mutable_data(), own,
                                             type->get());
    }
    layout = int_layout_of(receive, "receive", *counts, size);
    require_elements(send, layout.counts[static_cast<std::size_t>(rank_of(handle))], "send");
    return mpi::VectorArguments::allgatherv(send.data(), own, type->get(), receive.mutable_data(),
                                            layout.counts, layout.displacements, type->get());
  });
}

}  // namespace

void bind_vectors(py::class_<CommHandle>& comm) {
  comm.def("allreduce", &allreduce, py::arg("send"), py::arg("receive").noconvert(),
           py::arg("op") = py::none(),
           "Reduces the contiguous arrays `send` of all ranks, element by element, into `receive` on all of "
           "them.\n"
           "`op` is an mpi4py.MPI.Op, or None for MPI.SUM. All processes must call this.")
      .def("reduce_scatter", &reduce_scatter, py::arg("send"), py::arg("receive").noconvert(),
           py::arg("counts") = py::none(), py::arg("op") = py::none(),
           "Reduces the contiguous arrays `send` of all ranks, and gives each rank its part: counts[i] "
           "elements to\n"
           "rank i, or equal parts without counts. All processes must call this.")
      .def("allgather", &allgather, py::arg("send"), py::arg("receive").noconvert(),
           py::arg("counts") = py::none(),
           "Gathers the contiguous arrays `send` of all ranks in `receive`, one after the other: counts[i] "
           "elements\n"
           "from rank i, or equally many from each without counts. All processes must call this.");
}

}  // namespace cubefold::python
