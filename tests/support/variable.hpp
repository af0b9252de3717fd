#pragma once

#include <mpi.h>

#include <cstdlib>
#include <string>

#include "support/world.hpp"

namespace cubefold::mpi {

/// Sets an environment variable while this object lives, either on process 0 alone, where most variables are read, or
/// on all processes. The processes of SimGrid share one environment. All processes must construct and destroy it.
class Variable {
 public:
  enum class Where { on_first, everywhere };

  Variable(const char* name, const std::string& value, Where where = Where::on_first)
      : name_(name), is_here_(where == Where::everywhere || world_rank() == 0) {
    if (is_here_) setenv(name_, value.c_str(), 1);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() {
    MPI_Barrier(MPI_COMM_WORLD);
    if (is_here_) unsetenv(name_);
    MPI_Barrier(MPI_COMM_WORLD);
  }

 private:
  const char* name_;
  bool is_here_;
};

}  // namespace cubefold::mpi
