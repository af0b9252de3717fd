#pragma once

#include <mpi.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "cubefold/mpi/error.hpp"

namespace cubefold::python {

/// Throws std::invalid_argument unless one array can be sent and the other received: both are contiguous and have the
/// same dtype without Python objects, they do not overlap, and the second one is writeable.
void require_exchangeable(const pybind11::array& send, const pybind11::array& receive);

/// Throws std::invalid_argument unless an array, which `name` names, has so many elements.
void require_elements(const pybind11::array& array, pybind11::ssize_t count, const char* name);

/// Returns a number of elements for functions without large counts. Throws std::invalid_argument above 2^31 - 1.
int int_count(pybind11::ssize_t count);

/// A contiguous type of MPI for one element of an array.
class ElementType {
 public:
  explicit ElementType(const pybind11::array& array) {
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

using Counts = std::vector<std::int64_t>;

/// The blocks of an array: one count and one displacement for each rank or neighbour, in elements.
struct Layout {
  std::vector<MPI_Count> counts;
  std::vector<MPI_Aint> displacements;
};

/// Returns the blocks of an array. Without displacements they follow one another. Throws std::invalid_argument unless
/// there are `size` of each and all blocks are in the array.
Layout layout_of(const pybind11::array& array, const char* name, const Counts& counts,
                 const std::optional<Counts>& displacements, int size);

/// The blocks of an array for functions without large counts.
struct IntLayout {
  std::vector<int> counts;
  std::vector<int> displacements;
};

/// Returns the blocks that layout_of() returns. Throws std::invalid_argument if an int has no room for a number.
IntLayout int_layout_of(const pybind11::array& array, const char* name, const Counts& counts, int size,
                        const std::optional<Counts>& displacements = std::nullopt);

/// One side of an exchange of blocks of several datatypes. Counts are MPI_Count, or int for neighbours.
template <typename Count>
struct TypedLayout {
  const void* memory = nullptr;
  std::vector<Count> counts = {};
  std::vector<MPI_Aint> displacements = {};
  std::vector<MPI_Datatype> types = {};
};

/// Returns one side from a message of mpi4py: [array, counts, displacements, datatypes], with the second and the third
/// also as a pair, or without them for one element of each datatype at the beginning of the array. Throws
/// std::invalid_argument unless there are `size` of each and all blocks are in the array.
template <typename Count>
TypedLayout<Count> typed_layout_of(const pybind11::sequence& message, const char* name, bool is_written,
                                   std::size_t size);

}  // namespace cubefold::python
