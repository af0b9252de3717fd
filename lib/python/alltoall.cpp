#include <fmt/format.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <optional>
#include <stdexcept>

#include "bindings.hpp"
#include "comm_call.hpp"
#include "messages.hpp"
#include "mpi4py_objects.hpp"

namespace py = pybind11;

namespace cubefold::python {

namespace {

/// Returns the bytes of a block, after it has checked that the arrays can be exchanged.
MPI_Count block_bytes_of(const py::array& send, const py::array& receive, int size) {
  require_exchangeable(send, receive);
  if (send.size() != receive.size()) {
    throw std::invalid_argument(
        fmt::format("{} elements to send are not {} to receive", send.size(), receive.size()));
  }
  if (send.size() % size != 0) {
    throw std::invalid_argument(
        fmt::format("{} elements are not equal blocks of {} ranks", send.size(), size));
  }
  return send.nbytes() / size;
}

void alltoall(const CommHandle& handle, const py::array& send, py::array receive) {
  exchange_on_all(handle, "cubefold_alltoall", [&](mpi::PlanCache& plans) {
    MPI_Count bytes = 0;
    const void* from = nullptr;
    void* to = nullptr;
    {
      const py::gil_scoped_acquire python;
      bytes = block_bytes_of(send, receive, size_of(handle));
      from = send.data();
      to = receive.mutable_data();
    }
    const mpi::Sides sides(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE);
    plans.for_blocks(sides.block_bytes())->run(sides);
  });
}

void alltoallv(const CommHandle& handle, const py::array& send, const Counts& send_counts, py::array receive,
               const Counts& receive_counts, const std::optional<Counts>& send_displacements,
               const std::optional<Counts>& receive_displacements) {
  exchange_on_all(handle, "cubefold_alltoallv", [&](mpi::PlanCache& plans) {
    std::optional<ElementType> type;
    Layout from;
    Layout to;
    const void* sent = nullptr;
    void* received = nullptr;
    {
      const py::gil_scoped_acquire python;
      require_exchangeable(send, receive);
      from = layout_of(send, "send", send_counts, send_displacements, size_of(handle));
      to = layout_of(receive, "receive", receive_counts, receive_displacements, size_of(handle));
      type.emplace(send);
      sent = send.data();
      received = receive.mutable_data();
    }
    plans.for_blocks(std::nullopt)
        ->run({sent, from.counts, from.displacements, type->get(), received, to.counts, to.displacements,
               type->get()});
  });
}

void alltoallw(const CommHandle& handle, const py::object& send, const py::sequence& receive) {
  exchange_on_all(handle, "cubefold_alltoallw", [&](mpi::PlanCache& plans) {
    TypedLayout<MPI_Count> from{.memory = MPI_IN_PLACE};
    TypedLayout<MPI_Count> to;
    {
      const py::gil_scoped_acquire python;
      const auto size = static_cast<std::size_t>(size_of(handle));
      if (py::isinstance<py::sequence>(send)) {
        from = typed_layout_of<MPI_Count>(send, "send", false, size);
      } else if (!is_in_place(send)) {
        throw std::invalid_argument("the send message is neither a sequence nor MPI.IN_PLACE");
      }
      to = typed_layout_of<MPI_Count>(receive, "receive", true, size);
    }
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): the array is writeable
    auto* const received = const_cast<void*>(to.memory);
    plans.for_typed_blocks()->run({from.memory, from.counts, from.displacements, from.types, received,
                                   to.counts, to.displacements, to.types});
  });
}

}  // namespace

void bind_alltoalls(py::class_<CommHandle>& comm) {
  comm.def("alltoall", &alltoall, py::arg("send"), py::arg("receive").noconvert(),
           "Sends block j of the contiguous array `send` to rank j, and receives block i of `receive` from "
           "rank i.\n"
           "All processes must call this.")
      .def("alltoallv", &alltoallv, py::arg("send"), py::arg("send_counts"), py::arg("receive").noconvert(),
           py::arg("receive_counts"), py::arg("send_displacements") = py::none(),
           py::arg("receive_displacements") = py::none(),
           "Sends send_counts[j] elements of the contiguous array `send` to rank j, and receives "
           "receive_counts[i]\n"
           "elements of `receive` from rank i. Without displacements, which count elements, blocks follow "
           "one another.\n"
           "All processes must call this.")
      .def("alltoallw", &alltoallw, py::arg("send"), py::arg("receive"),
           "Exchanges blocks of a datatype for each rank. Messages are as those of mpi4py's Alltoallw: "
           "[array, counts,\n"
           "displacements in bytes, datatypes], [array, (counts, displacements), datatypes], or [array, "
           "datatypes] for\n"
           "one element of each at the beginning of the array. `send` may be mpi4py.MPI.IN_PLACE. All "
           "processes must\n"
           "call this.");
}

}  // namespace cubefold::python
