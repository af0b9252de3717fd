#pragma once

#include <mpi.h>

#include <cstdlib>
#include <string>

#include "support/world.hpp"

namespace cubefold::mpi {

/// An environment variable of process 0 alone, which is the one that counts; SimGrid's processes share one environment.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (world_rank() == 0) setenv(name_, value.c_str(), 1);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() {
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == 0) unsetenv(name_);
    MPI_Barrier(MPI_COMM_WORLD);
  }

 private:
  const char* name_;
};

}  // namespace cubefold::mpi
