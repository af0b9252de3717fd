#include <fmt/format.h>
#include <mpi4py/mpi4py.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cubefold/cubefold.h"
#include "cubefold/mpi/error.hpp"
#include "handle.hpp"
#include "mpi/c_handles.hpp"
#include "mpi/vector_call.hpp"

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
  MPI_Comm base = mpi_comm_of(mpi4py_comm);
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

void require_exchangeable(const py::array& send, const py::array& receive) {
  require_contiguous(send, "send");
  require_contiguous(receive, "receive");
  if (!receive.writeable()) throw std::invalid_argument("the receive array is read-only");
  if (overlap(send, receive)) throw std::invalid_argument("the arrays overlap");
  if (!send.dtype().equal(receive.dtype())) throw std::invalid_argument("the arrays have different dtypes");
}

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

/// Runs work(plans) as one collective call. It has the checks of arrays, so that a process that fails them alone
/// notifies the others.
template <typename Work>
int exchange_on_all(const CommHandle& handle, const char* function, Work work) {
  return mpi::guarded(function, [&] {
    cubefold_comm_s& comm = mpi::valid_handle(handle.comm);
    const py::gil_scoped_release others_run;
    if (!comm.plans) comm.plans.emplace(comm.comm);
    comm.plans->context().notify_on_failure([&] { work(*comm.plans); });
  });
}

int exchange(const CommHandle& handle, const py::array& send, py::array& receive) {
  return exchange_on_all(handle, "cubefold_alltoall", [&](mpi::PlanCache& plans) {
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

void alltoall(const CommHandle& handle, const py::array& send, py::array receive) {
  check_status(exchange(handle, send, receive));
}

/// A contiguous type of MPI for one element of an array.
class ElementType {
 public:
  explicit ElementType(const py::array& array) {
    mpi::check(MPI_Type_contiguous(static_cast<int>(array.itemsize()), MPI_BYTE, &type_),
               "MPI_Type_contiguous");
    mpi::check(MPI_Type_commit(&type_), "MPI_Type_commit");
  }
  ElementType(const ElementType&) = delete;
  ElementType& operator=(const ElementType&) = delete;
  ~ElementType() { MPI_Type_free(&type_); }
  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// The blocks of an array: one count and one displacement for each rank or neighbour, in elements.
struct Layout {
  std::vector<MPI_Count> counts;
  std::vector<MPI_Aint> displacements;
};

using Counts = std::vector<std::int64_t>;

/// Returns the blocks of an array. Without displacements they follow one another. Throws std::invalid_argument unless
/// there are `size` of each and all blocks are in the array.
Layout layout_of(const py::array& array, const char* name, const Counts& counts,
                 const std::optional<Counts>& displacements, int size) {
  const auto ranks = static_cast<std::size_t>(size);
  if (counts.size() != ranks || (displacements && displacements->size() != ranks))
    throw std::invalid_argument(fmt::format("the {} counts or displacements are not {} numbers", name, size));
  Layout layout;
  std::int64_t next = 0;
  for (std::size_t i = 0; i < ranks; ++i) {
    const std::int64_t count = counts[i];
    const std::int64_t place = displacements ? (*displacements)[i] : next;
    if (count < 0 || place < 0 || count > array.size() || place > array.size() - count) {
      throw std::invalid_argument(
          fmt::format("the {} block {} of {} elements at {} is not in the {} of the array", name, i, count,
                      place, array.size()));
    }
    layout.counts.push_back(count);
    layout.displacements.push_back(place);
    next = place + count;
  }
  return layout;
}

void alltoallv(const CommHandle& handle, const py::array& send, const Counts& send_counts, py::array receive,
               const Counts& receive_counts, const std::optional<Counts>& send_displacements,
               const std::optional<Counts>& receive_displacements) {
  check_status(exchange_on_all(handle, "cubefold_alltoallv", [&](mpi::PlanCache& plans) {
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
  }));
}

/// One side of an exchange of blocks of several datatypes. Counts are MPI_Count, or int for neighbours.
template <typename Count>
struct TypedLayout {
  const void* memory = nullptr;
  std::vector<Count> counts = {};
  std::vector<MPI_Aint> displacements = {};
  std::vector<MPI_Datatype> types = {};
};

template <typename Integer>
std::vector<Integer> numbers_of(const py::handle& numbers) {
  std::vector<Integer> result;
  for (const std::int64_t each : numbers.cast<Counts>()) {
    if (!std::in_range<Integer>(each))
      throw std::invalid_argument(fmt::format("{} is beyond the integers of MPI", each));
    result.push_back(static_cast<Integer>(each));
  }
  return result;
}

MPI_Datatype datatype_of(const py::handle& type) {
  const MPI_Datatype* found =
      PyObject_TypeCheck(type.ptr(), &PyMPIDatatype_Type) != 0 ? PyMPIDatatype_Get(type.ptr()) : nullptr;
  if (found == nullptr) throw std::invalid_argument("a datatype is no mpi4py.MPI.Datatype");
  return *found;
}

/// Holds the products of counts and extents.
__extension__ using Wide = __int128;

/// Throws std::invalid_argument unless the bytes of all blocks are in the array.
template <typename Count>
void require_within(const py::array& array, const TypedLayout<Count>& layout, const char* name) {
  for (std::size_t rank = 0; rank < layout.counts.size(); ++rank) {
    const MPI_Aint count = layout.counts[rank];
    if (count <= 0 || layout.types[rank] == MPI_DATATYPE_NULL) continue;  // MPI's rules are checked later
    MPI_Aint lower_bound = 0;
    MPI_Aint extent = 0;
    MPI_Aint begin = 0;
    MPI_Aint length = 0;
    mpi::check(MPI_Type_get_extent(layout.types[rank], &lower_bound, &extent), "MPI_Type_get_extent");
    mpi::check(MPI_Type_get_true_extent(layout.types[rank], &begin, &length), "MPI_Type_get_true_extent");
    const Wide last = Wide{count - 1} * extent;
    const Wide first_byte = Wide{layout.displacements[rank]} + begin + std::min<Wide>(last, 0);
    const Wide end = Wide{layout.displacements[rank]} + begin + std::max<Wide>(last, 0) + length;
    if (first_byte >= 0 && end <= array.nbytes()) continue;
    throw std::invalid_argument(
        fmt::format("the {} block {} of {} elements at {} is not in the {} bytes of the array", name, rank,
                    count, layout.displacements[rank], array.nbytes()));
  }
}

/// Returns one side from a message of mpi4py: [array, counts, displacements, datatypes], with the second and the third
/// also as a pair, or without them for one element of each datatype at the beginning of the array.
template <typename Count>
TypedLayout<Count> typed_layout_of(const py::sequence& message, const char* name, bool is_written,
                                   std::size_t size) {
  const std::size_t length = message.size();
  if (length < 2 || length > 4)
    throw std::invalid_argument(fmt::format("the {} message has {} parts, not 2 to 4", name, length));
  const py::object part = message[0];
  if (!py::isinstance<py::array>(part))
    throw std::invalid_argument(fmt::format("the {} buffer is no array", name));
  const auto array = part.cast<py::array>();
  if ((array.flags() & (py::array::c_style | py::array::f_style)) == 0)
    throw std::invalid_argument(fmt::format("the {} array is not contiguous", name));
  if (is_written && !array.writeable()) throw std::invalid_argument("the receive array is read-only");
  TypedLayout<Count> layout{array.data(), std::vector<Count>(size, 1), std::vector<MPI_Aint>(size, 0), {}};
  if (length == 3) {
    const auto pair = message[1].cast<py::sequence>();
    layout.counts = numbers_of<Count>(pair[0]);
    layout.displacements = numbers_of<MPI_Aint>(pair[1]);
  } else if (length == 4) {
    layout.counts = numbers_of<Count>(message[1]);
    layout.displacements = numbers_of<MPI_Aint>(message[2]);
  }
  for (const py::handle type : message[length - 1].cast<py::sequence>())
    layout.types.push_back(datatype_of(type));
  if (layout.counts.size() != size || layout.displacements.size() != size || layout.types.size() != size) {
    throw std::invalid_argument(
        fmt::format("the {} counts, displacements or datatypes are not {} each", name, size));
  }
  require_within(array, layout, name);
  return layout;
}

/// Returns whether an object is mpi4py.MPI.IN_PLACE, which is an int.
bool is_in_place(const py::object& send) {
  return send.equal(py::module_::import("mpi4py.MPI").attr("IN_PLACE"));
}

void alltoallw(const CommHandle& handle, const py::object& send, const py::sequence& receive) {
  check_status(exchange_on_all(handle, "cubefold_alltoallw", [&](mpi::PlanCache& plans) {
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
  }));
}

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

/// Returns the operation of an mpi4py.MPI.Op, or MPI_SUM for None.
MPI_Op operation_of(const py::object& op) {
  if (op.is_none()) return MPI_SUM;
  const MPI_Op* found = PyObject_TypeCheck(op.ptr(), &PyMPIOp_Type) != 0 ? PyMPIOp_Get(op.ptr()) : nullptr;
  if (found == nullptr) throw std::invalid_argument("the operation is no mpi4py.MPI.Op");
  return *found;
}

int int_count(py::ssize_t count) {
  if (count > INT_MAX) throw std::invalid_argument(fmt::format("{} elements exceed 2^31 - 1", count));
  return static_cast<int>(count);
}

/// The blocks of an array for functions without large counts.
struct IntLayout {
  std::vector<int> counts;
  std::vector<int> displacements;
};

/// Returns the blocks that layout_of() returns. Throws std::invalid_argument if an int has no room for a number.
IntLayout int_layout_of(const py::array& array, const char* name, const Counts& counts, int size,
                        const std::optional<Counts>& displacements = std::nullopt) {
  const Layout layout = layout_of(array, name, counts, displacements, size);
  IntLayout result;
  for (const MPI_Count count : layout.counts) result.counts.push_back(int_count(count));
  for (const MPI_Aint place : layout.displacements) result.displacements.push_back(int_count(place));
  return result;
}

/// Checks that arrays have the elements of a vector: `whole` those of all ranks, and `own` those of this one.
void require_elements(const py::array& whole, py::ssize_t count, const char* name) {
  if (whole.size() == count) return;
  throw std::invalid_argument(fmt::format("the {} array has {} elements, not {}", name, whole.size(), count));
}

/// Makes one collective call with the arguments that make(type of elements) returns while Python is locked.
template <typename Make>
void reduce_or_gather(const CommHandle& handle, const char* function, Make make) {
  check_status(exchange_on_all(handle, function, [&](mpi::PlanCache& plans) {
    std::optional<mpi::VectorArguments> arguments;
    {
      const py::gil_scoped_acquire python;
      arguments = make();
    }
    const mpi::VectorCall call(*arguments, static_cast<std::size_t>(size_of(handle)),
                               static_cast<std::size_t>(rank_of(handle)));
    plans.vectors().run(call);
  }));
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

/// Runs one collective call with neighbours, which make(neighbours) returns while Python is locked.
template <typename Make>
void exchange_with_neighbours(const CommHandle& handle, const char* function, Make make) {
  check_status(exchange_on_all(handle, function, [&](mpi::PlanCache& /*plans*/) {
    mpi::NeighbourPlans& neighbours = mpi::neighbours_on(handle.comm);
    std::optional<mpi::NeighbourCall> call;
    {
      const py::gil_scoped_acquire python;
      call = make(neighbours);
    }
    neighbours.run(std::move(*call));
  }));
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
  return py::reinterpret_steal<py::object>(PyMPIComm_New(cart));
}

py::object split(const CommHandle& handle, const std::string& resource) {
  MPI_Comm part = MPI_COMM_NULL;
  {
    const py::gil_scoped_release others_run;
    check_status(cubefold_comm_split(handle.comm, resource.c_str(), &part));
  }
  return py::reinterpret_steal<py::object>(PyMPIComm_New(part));
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
      .def_property_readonly("node", &node_of, "The node of this process.")
      .def_property_readonly("grid", &grid_of, "The text of the network.")
      .def_property_readonly("placement", &placement_of, "The text of the placement.")
      .def_property_readonly("is_known", &is_known, "False if nothing is known of the network.")
      .def("to_virtual", &to_virtual, py::arg("node"), "Returns the virtual rank on a node.")
      .def("to_physical", &to_physical, py::arg("rank"), "Returns the node of a virtual rank.")
      .def("explain", &explain, py::arg("block_bytes"),
           "Returns how blocks of this size are exchanged, and why. All processes must call this.")
      .def("alltoall", &alltoall, py::arg("send"), py::arg("receive").noconvert(),
           "Sends block j of the contiguous array `send` to rank j, and receives block i of `receive` from "
           "rank i.\n"
           "All processes must call this.")
      .def(
          "alltoallv", &alltoallv, py::arg("send"), py::arg("send_counts"), py::arg("receive").noconvert(),
          py::arg("receive_counts"), py::arg("send_displacements") = py::none(),
          py::arg("receive_displacements") = py::none(),
          "Sends send_counts[j] elements of the contiguous array `send` to rank j, and receives "
          "receive_counts[i]\n"
          "elements of `receive` from rank i. Without displacements, which count elements, blocks follow one "
          "another.\n"
          "All processes must call this.")
      .def("alltoallw", &alltoallw, py::arg("send"), py::arg("receive"),
           "Exchanges blocks of a datatype for each rank. Messages are as those of mpi4py's Alltoallw: "
           "[array, "
           "counts,\n"
           "displacements in bytes, datatypes], [array, (counts, displacements), datatypes], or [array, "
           "datatypes] for\n"
           "one element of each at the beginning of the array. `send` may be mpi4py.MPI.IN_PLACE. All "
           "processes "
           "must\n"
           "call this.")
      .def("allreduce", &allreduce, py::arg("send"), py::arg("receive").noconvert(),
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
           "from rank i, or equally many from each without counts. All processes must call this.")
      .def("neighbor_alltoall", &neighbor_alltoall, py::arg("send"), py::arg("receive").noconvert(),
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
           "this.")
      .def("cart_create", &cart_create, py::arg("dims"), py::arg("periods"),
           "Returns an mpi4py.MPI.Cartcomm whose ranks suit a halo exchange. The caller frees it. All "
           "processes "
           "must\n"
           "call this.")
      .def("split", &split, py::arg("resource"),
           "Returns the mpi4py.MPI.Comm of the processes on the same resource of the network: 'axis/K',\n"
           "'plane/K-L', 'node' or 'slot'. The caller frees it. All processes must call this.")
      .def("free", &free_comm, "Frees the communicators. All processes must call this.")
      .def("__enter__", [](const py::object& self) { return self; })
      .def("__exit__", [](CommHandle& handle, const py::args&) { free_comm(handle); });
}
