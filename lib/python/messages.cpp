#include "messages.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <climits>
#include <stdexcept>
#include <utility>

#include "mpi4py_objects.hpp"

namespace py = pybind11;

namespace cubefold::python {

namespace {

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

}  // namespace

void require_exchangeable(const py::array& send, const py::array& receive) {
  require_contiguous(send, "send");
  require_contiguous(receive, "receive");
  if (!receive.writeable()) throw std::invalid_argument("the receive array is read-only");
  if (overlap(send, receive)) throw std::invalid_argument("the arrays overlap");
  if (!send.dtype().equal(receive.dtype())) throw std::invalid_argument("the arrays have different dtypes");
}

void require_elements(const py::array& array, py::ssize_t count, const char* name) {
  if (array.size() == count) return;
  throw std::invalid_argument(fmt::format("the {} array has {} elements, not {}", name, array.size(), count));
}

int int_count(py::ssize_t count) {
  if (count > INT_MAX) throw std::invalid_argument(fmt::format("{} elements exceed 2^31 - 1", count));
  return static_cast<int>(count);
}

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

IntLayout int_layout_of(const py::array& array, const char* name, const Counts& counts, int size,
                        const std::optional<Counts>& displacements) {
  const Layout layout = layout_of(array, name, counts, displacements, size);
  IntLayout result;
  for (const MPI_Count count : layout.counts) result.counts.push_back(int_count(count));
  for (const MPI_Aint place : layout.displacements) result.displacements.push_back(int_count(place));
  return result;
}

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

template TypedLayout<MPI_Count> typed_layout_of(const py::sequence&, const char*, bool, std::size_t);
template TypedLayout<int> typed_layout_of(const py::sequence&, const char*, bool, std::size_t);

}  // namespace cubefold::python
