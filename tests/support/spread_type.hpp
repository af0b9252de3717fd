#pragma once

#include <mpi.h>

namespace cubefold::mpi {

/// Holds an MPI datatype of `count` ints with a gap of one int after each.
class SpreadType {
 public:
  explicit SpreadType(int count) {
    MPI_Datatype vector = MPI_DATATYPE_NULL;
    MPI_Type_vector(count, 1, 2, MPI_INT, &vector);
    MPI_Type_create_resized(vector, 0, static_cast<MPI_Aint>(sizeof(int)) * 2 * count, &type_);
    MPI_Type_free(&vector);
    MPI_Type_commit(&type_);
  }
  SpreadType(const SpreadType&) = delete;
  SpreadType& operator=(const SpreadType&) = delete;
  ~SpreadType() { MPI_Type_free(&type_); }

  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace cubefold::mpi
