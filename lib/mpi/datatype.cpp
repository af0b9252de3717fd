#include "datatype.hpp"

#include <array>
#include <stdexcept>

#include "cubefold/mpi/error.hpp"

namespace cubefold::mpi {

namespace {

/// What MPI_Type_contiguous or MPI_Type_dup was called with; a copy that has to be freed if derived.
MPI_Datatype inner_type(MPI_Datatype type, int integer_count) {
  std::array<int, 1> integers{};
  MPI_Datatype inner = MPI_DATATYPE_NULL;
  check(MPI_Type_get_contents(type, integer_count, 0, 1, integers.data(), nullptr, &inner),
        "MPI_Type_get_contents");
  return inner;
}

/// Predefined types, those that Fortran asks for by precision included, must not be freed.
bool is_predefined(int combiner) {
  return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
         combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
}

/// Only what is dense for certain: predefined types, and contiguous runs and copies of such.
bool is_built_dense(MPI_Datatype type) {
  int integers = 0;
  int addresses = 0;
  int types = 0;
  int combiner = 0;
  check(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner), "MPI_Type_get_envelope");
  if (is_predefined(combiner)) return true;
  if (combiner != MPI_COMBINER_CONTIGUOUS && combiner != MPI_COMBINER_DUP) return false;

  MPI_Datatype inner = inner_type(type, integers);
  const bool dense = layout_of(inner).dense;
  check(MPI_Type_get_envelope(inner, &integers, &addresses, &types, &combiner), "MPI_Type_get_envelope");
  if (!is_predefined(combiner)) check(MPI_Type_free(&inner), "MPI_Type_free");
  return dense;
}

}  // namespace

std::size_t size_of(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) throw std::invalid_argument("the datatype is MPI_DATATYPE_NULL");
  MPI_Count size = 0;
  check(MPI_Type_size_x(type, &size), "MPI_Type_size_x");
  return static_cast<std::size_t>(size);
}

Layout layout_of(MPI_Datatype type) {
  const std::size_t size = size_of(type);
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  check(MPI_Type_get_extent(type, &lower_bound, &extent), "MPI_Type_get_extent");
  const bool no_gaps = lower_bound == 0 && static_cast<MPI_Aint>(size) == extent;
  return {size, extent, no_gaps && is_built_dense(type)};
}

}  // namespace cubefold::mpi
