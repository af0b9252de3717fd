#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace cubefold {

/// Makes one allocation of this process fail. While the object lives, calls of operator new in all its forms that ask
/// for at least `least_bytes` are counted, and call `number`, counted from 1, throws std::bad_alloc; a std::nothrow
/// form returns null. All other calls succeed. The count includes all threads, and the allocations of shared libraries
/// that are linked with the test. malloc is not counted, so MPI, FFTW and exceptions always get their memory. Only one
/// object may exist at a time. The test program has to link failing_allocations.
class FailingAllocation {
 public:
  static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

  explicit FailingAllocation(std::uint64_t number, std::size_t least_bytes = 0);
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;
  ~FailingAllocation();

  /// Returns the number of allocations so far that were large enough to count.
  std::uint64_t count() const;

  /// Returns whether the allocation has failed. A sweep over `number` has met every allocation when this is false.
  bool has_failed() const { return count() >= number_; }

 private:
  std::uint64_t number_;
};

}  // namespace cubefold
