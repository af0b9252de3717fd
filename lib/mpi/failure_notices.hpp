#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "cubefold/mpi/error.hpp"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#define CUBEFOLD_LEAK_SANITIZER
#endif
#endif

namespace cubefold::mpi {

/// Leaves memory to MPI until the process ends. After a failure MPI may still read it or write to it, and no call of
/// MPI tells when it no longer does. The leak sanitizer does not report this memory.
template <typename T>
void leak_to_mpi(std::unique_ptr<T> memory) noexcept {
  [[maybe_unused]] const T* left = memory.release();
#ifdef CUBEFOLD_LEAK_SANITIZER
  if (left != nullptr) __lsan_ignore_object(left);
#endif
}

/// The message that tells other processes of a failure.
struct FailureNotice {
  std::uint64_t number;  ///< number of the first exchange in which the process does not take part
  Status status;
  std::array<char, 487> text;  ///< ends with a 0
};

static_assert(sizeof(FailureNotice) <= 512);

/// The first failure on a communicator that this process knows of, and the notices by which processes tell one another
/// of theirs. Takes memory only where it is made, so that it can report a lack of memory. The caller serialises calls.
class FailureNotices {
 public:
  /// Notices have this tag, which no other message on the communicator may have.
  explicit FailureNotices(int tag) : tag_(tag), first_(std::make_unique<FailureNotice>()) {}
  FailureNotices(const FailureNotices&) = delete;
  FailureNotices& operator=(const FailureNotices&) = delete;

  /// Leaves the notice to MPI after a failure, because MPI may send a message of this size later instead of copying it
  /// at once.
  ~FailureNotices();

  /// Returns whether this process knows that a process has failed.
  bool has_failed() const { return has_failed_; }

  /// Returns whether the first failure is that a process has waited too long. Then a process may be missing, and no
  /// collective call may follow.
  bool has_timed_out() const { return has_failed_ && first_->status == Status::timeout; }

  /// Returns the first failure. Requires that it was announced, received or kept.
  const FailureNotice& first() const { return *first_; }

  /// Keeps a failure of this process, and sends it to every other process. Only the first failure counts.
  void announce(MPI_Comm comm, std::uint64_t number, const Failure& failure) noexcept;

  /// Keeps a failure of which this process has had no notice.
  void record(std::uint64_t number, const Failure& failure) noexcept;

  /// Receives a notice, if one has arrived. Its text names the process that has sent it.
  std::optional<FailureNotice> receive(MPI_Comm comm) noexcept;

  /// Collective: finds out on all processes whether any process has failed. Does nothing after a timeout. Returns the
  /// code of the call of MPI. If it fails on this process alone, the others may wait for ever, so the caller has to
  /// tell the user.
  int agree_on_failures(MPI_Comm comm) noexcept;

 private:
  int tag_;
  std::unique_ptr<FailureNotice> first_;
  bool has_failed_ = false;
};

}  // namespace cubefold::mpi
