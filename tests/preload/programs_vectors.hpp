#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include "preload/programs_calls.hpp"
#include "support/vector_calls.hpp"

namespace cubefold::preload {

/// Vectors are reduced and gathered by a method that the test names.
class VectorsOnARing : public OnARing {
 protected:
  explicit VectorsOnARing(const std::string& method = "bucket") { reduce_by(method); }

  void reduce_by(const std::string& method) {
    method_.reset();
    method_.emplace("CUBEFOLD_ALLREDUCE", method, everywhere);
    gather_world_anew();
  }

 private:
  std::optional<mpi::Variable> method_;
};

/// Returns the buffers of a call with other numbers on each rank.
inline mpi::VectorBuffers numbers_for(const Comm& comm, mpi::VectorFunction function, int count) {
  mpi::VectorBuffers buffers(function, count, MPI_INT64_T, 8, MPI_SUM, static_cast<int>(comm.size()),
                             comm.rank());
  for (std::size_t i = 0; i < buffers.send().size(); i += 8) {
    const auto value = static_cast<std::int64_t>(i * 31 + static_cast<std::size_t>(comm.rank()) * 1000003);
    std::memcpy(buffers.send().data() + i, &value, sizeof value);
  }
  return buffers;
}

}  // namespace cubefold::preload
