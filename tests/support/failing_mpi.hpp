#pragma once

#include <mpi.h>

#include <cstdint>
#include <limits>
#include <string_view>

namespace cubefold {

/// Makes one call of an MPI function fail on this process. While the object lives, calls of `function`, such as
/// "MPI_Isend", are counted, and call `number`, counted from 1, returns `code` without doing anything; its output
/// arguments stay as they are. The number `always` lets every call fail, and with 0 none fails. An empty name stands
/// for all functions in replaced_mpi.cpp together but those that poll, because the number of their calls depends on the
/// time. Calls by shared libraries that are linked with the test count; calls that MPI makes internally do not. Only
/// one object may exist at a time. The test program has to link replaced_mpi.
class FailingMpi {
 public:
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
  static constexpr std::uint64_t always = never - 1;

  FailingMpi(std::string_view function, std::uint64_t number, int code = MPI_ERR_OTHER);
  FailingMpi(const FailingMpi&) = delete;
  FailingMpi& operator=(const FailingMpi&) = delete;
  ~FailingMpi();

  /// Returns the number of calls so far.
  std::uint64_t count() const;

  /// Returns whether the call has failed. A sweep over `number` has met every call when this is false.
  bool has_failed() const { return count() >= number_; }

 private:
  std::uint64_t number_;
};

}  // namespace cubefold
