#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <optional>
#include <utility>

#include "bindings.hpp"
#include "comm_call.hpp"
#include "messages.hpp"

namespace py = pybind11;

namespace cubefold::python {

namespace {

/// Runs one collective call with neighbours, which make(neighbours) returns while Python is locked.
template <typename Make>
void exchange_with_neighbours(const CommHandle& handle, const char* function, Make make) {
  exchange_on_all(handle, function, [&](mpi::PlanCache& /*plans*/) {
    mpi::NeighbourPlans& neighbours = mpi::neighbours_on(handle.comm);
    std::optional<mpi::NeighbourCall> call;
    {
      const py::gil_scoped_acquire python;
      call = make(neighbours);
    }
    neighbours.run(std::move(*call));
  });
}

/// Returns the elements of a block for each of so many neighbours. Throws std::invalid_argument unless arrays have
/// equal blocks for all of them.
int block_elements_of(const py::array& send, std::size_t destination_count, const py::array& receive,
                      std::size_t source_count) {
  const auto destinations = static_cast<py::ssize_t>(destination_count);
  const auto sources = static_cast<py::ssize_t>(source_count);
  const py::ssize_t elements = sources > 0        ? receive.size() / sources
                               : destinations > 0 ? send.size() / destinations
                                                  : 0;
  require_elements(send, elements * destinations, "send");
  require_elements(receive, elements * sources, "receive");
  return int_count(elements);
}

void neighbor_alltoall(const CommHandle& handle, const py::array& send, py::array receive) {
  std::optional<ElementType> type;
  exchange_with_neighbours(handle, "cubefold_neighbor_alltoall", [&](const mpi::NeighbourPlans& neighbours) {
    require_exchangeable(send, receive);
    const int count =
        block_elements_of(send, neighbours.destination_count(), receive, neighbours.source_count());
    type.emplace(send);
    return mpi::NeighbourCall(mpi::NeighbourFunction::alltoall, {send.data(), count, type->get()},
                              {receive.mutable_data(), count, type->get()});
  });
}

void neighbor_alltoallv(const CommHandle& handle, const py::array& send, const Counts& send_counts,
                        py::array receive, const Counts& receive_counts,
                        const std::optional<Counts>& send_displacements,
                        const std::optional<Counts>& receive_displacements) {
  std::optional<ElementType> type;
  IntLayout from;
  IntLayout to;
  exchange_with_neighbours(handle, "cubefold_neighbor_alltoallv", [&](const mpi::NeighbourPlans& neighbours) {
    require_exchangeable(send, receive);
    from = int_layout_of(send, "send", send_counts, static_cast<int>(neighbours.destination_count()),
                         send_displacements);
    to = int_layout_of(receive, "receive", receive_counts, static_cast<int>(neighbours.source_count()),
                       receive_displacements);
    type.emplace(send);
    return mpi::NeighbourCall(mpi::NeighbourFunction::alltoallv,
                              {send.data(), from.counts, from.displacements, type->get()},
                              {receive.mutable_data(), to.counts, to.displacements, type->get()});
  });
}

void neighbor_alltoallw(const CommHandle& handle, const py::sequence& send, const py::sequence& receive) {
  TypedLayout<int> from;
  TypedLayout<int> to;
  exchange_with_neighbours(handle, "cubefold_neighbor_alltoallw", [&](const mpi::NeighbourPlans& neighbours) {
    from = typed_layout_of<int>(send, "send", false, neighbours.destination_count());
    to = typed_layout_of<int>(receive, "receive", true, neighbours.source_count());
    return mpi::NeighbourCall(mpi::NeighbourFunction::alltoallw,
                              {from.memory, from.counts, from.displacements, from.types},
                              {to.memory, to.counts, to.displacements, to.types});
  });
}

void neighbor_allgather(const CommHandle& handle, const py::array& send, py::array receive,
                        const std::optional<Counts>& counts) {
  std::optional<ElementType> type;
  IntLayout layout;
  exchange_with_neighbours(handle, "cubefold_neighbor_allgather", [&](const mpi::NeighbourPlans& neighbours) {
    require_exchangeable(send, receive);
    const auto source_count = static_cast<int>(neighbours.source_count());
    const int own = int_count(send.size());
    type.emplace(send);
    const mpi::Blocks sent{send.data(), own, type->get()};
    if (!counts) {
      require_elements(receive, send.size() * source_count, "receive");
      return mpi::NeighbourCall(mpi::NeighbourFunction::allgather, sent,
                                {receive.mutable_data(), own, type->get()});
    }
    layout = int_layout_of(receive, "receive", *counts, source_count);
    return mpi::NeighbourCall(mpi::NeighbourFunction::allgatherv, sent,
                              {receive.mutable_data(), layout.counts, layout.displacements, type->get()});
  });
}

}  // namespace

void bind_neighbours(py::class_<CommHandle>& comm) {
  comm.def("neighbor_alltoall", &neighbor_alltoall, py::arg("send"), py::arg("receive").noconvert(),
           "Sends block j of the contiguous array `send` to the j-th neighbour of the topology of the "
           "communicator, and\n"
           "receives block i of `receive` from the i-th source. All processes must call this.")
      .def("neighbor_alltoallv", &neighbor_alltoallv, py::arg("send"), py::arg("send_counts"),
           py::arg("receive").noconvert(), py::arg("receive_counts"),
           py::arg("send_displacements") = py::none(), py::arg("receive_displacements") = py::none(),
           "Does the same with blocks of any sizes, as alltoallv. All processes must call this.")
      .def("neighbor_alltoallw", &neighbor_alltoallw, py::arg("send"), py::arg("receive"),
           "Does the same with a datatype for each block. Messages are as those of alltoallw. All processes "
           "must call this.")
      .def("neighbor_allgather", &neighbor_allgather, py::arg("send"), py::arg("receive").noconvert(),
           py::arg("counts") = py::none(),
           "Sends the contiguous array `send` to all neighbours, and gathers theirs in `receive`, one after "
           "the other:\n"
           "counts[i] elements from the i-th source, or equally many from each without counts. All processes "
           "must call\n"
           "this.");
}

}  // namespace cubefold::python
