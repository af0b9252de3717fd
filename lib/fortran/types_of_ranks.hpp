#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "mpi/c_handles.hpp"

namespace cubefold::fortran {

/// The datatypes of the blocks of all ranks, as C takes them.
class TypesOfRanks {
 public:
  /// Requires a handle that C does not refuse, or has none.
  TypesOfRanks(const MPI_Fint* types, cubefold_comm comm) {
    if (comm == nullptr) return;
    const auto rank_count = cubefold::mpi::valid(comm).placement().rank_count();
    for (std::size_t rank = 0; rank < rank_count; ++rank) types_.push_back(MPI_Type_f2c(types[rank]));
  }
  const MPI_Datatype* data() const { return types_.data(); }

 private:
  std::vector<MPI_Datatype> types_;
};

}  // namespace cubefold::fortran
