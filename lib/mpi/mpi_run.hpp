#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <vector>

#include "blocks.hpp"
#include "comm_context.hpp"
#include "cubefold/export.h"
#include "vector_call.hpp"

namespace cubefold::mpi {

/// The arguments of a call that MPI performs, for calls that end later. The arrays are copies, and so are the datatypes
/// if they may be copied: an operation of MPI takes only the caller's.
class CUBEFOLD_API MpiArguments {
 public:
  /// `outlives_types` asks for copies of the datatypes.
  MpiArguments(const VectorArguments& arguments, bool outlives_types);
  MpiArguments(const MpiArguments&) = delete;
  MpiArguments& operator=(const MpiArguments&) = delete;
  ~MpiArguments() = default;

  const VectorArguments& get() const { return arguments_; }

 private:
  VectorArguments arguments_;
  std::vector<int> counts_;
  std::vector<int> displacements_;
  std::optional<OwnedType> send_type_;
  std::optional<OwnedType> type_;
};

/// A non-blocking collective of MPI among the runs of a context. All processes must make it in the same order among the
/// collective calls on the context.
class MpiRun : public Run {
 public:
  /// Starts the call.
  MpiRun(const VectorArguments& arguments, const TagRange& tags);

  Awaited awaited() const override { return {{}, std::string(" in ") + name_}; }

 private:
  bool move(unsigned most_polls) override;

  const char* name_;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace cubefold::mpi
