#pragma once

#include <mpi.h>

#include <cstddef>

namespace cubefold::mpi {

/// What the exchange needs to know of a datatype.
struct Layout {
  std::size_t size_bytes;  ///< data in one element
  MPI_Aint extent_bytes;   ///< from one element to the next
  bool dense;              ///< memory order and packed order are the same, without gaps
};

/// Bytes of data in one element. Throws as layout_of().
std::size_t size_of(MPI_Datatype type);

/// Throws std::invalid_argument for MPI_DATATYPE_NULL, on which MPI itself would abort.
Layout layout_of(MPI_Datatype type);

}  // namespace cubefold::mpi
