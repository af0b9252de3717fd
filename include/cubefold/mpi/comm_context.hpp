#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/owned_comm.hpp"

namespace cubefold::mpi {

class AlltoallRun;
struct FailureNotice;
struct RunMemory;

/// The communication context of the exchanges on one set of processes: their communicator, their tags, and the runs
/// that are under way. A process that waits for one run advances all of them, as another process may wait for another
/// run first. Several threads may use a context where MPI_THREAD_MULTIPLE is provided.
///
/// A process that fails alone in a collective call sends every other process a notice. Processes that wait for it in an
/// exchange then throw the same text with the process named, and so do all later calls on all processes: after such a
/// failure the processes no longer agree on which exchange comes next.
class CUBEFOLD_API CommContext {
 public:
  /// Collective: makes a context on a duplicate of the communicator, whose ranks the exchanges count. If the
  /// environment variable CUBEFOLD_CHECK is 1 on any process, block sizes are compared before every exchange. Uses the
  /// tags 0 .. highest_tag; every MPI has those of the default. Throws std::invalid_argument on all processes if
  /// CUBEFOLD_CHECK is neither empty, 0 nor 1 on any.
  static std::shared_ptr<CommContext> on(MPI_Comm comm, int highest_tag = 32767);

  /// Takes over the communicator. Local.
  CommContext(OwnedComm&& comm, bool is_checked, int highest_tag);
  CommContext(const CommContext&) = delete;
  CommContext& operator=(const CommContext&) = delete;
  ~CommContext();

  MPI_Comm comm() const { return comm_.get(); }
  bool is_checked() const { return is_checked_; }

  /// Runs `work`, which is one collective call on the context. An exception that is not Agreed has happened on this
  /// process alone: it is announced by fail() and thrown on. Throws what has failed earlier without running `work`.
  template <typename Work>
  decltype(auto) collectively(Work&& work) {
    require_sound();
    try {
      return std::forward<Work>(work)();
    } catch (const Agreed&) {
      throw;
    } catch (...) {
      fail(current_failure());
      throw;
    }
  }

  /// Refuses all later exchanges of this context, and tells the other processes so; exchanges that are under way go on.
  /// The first of several failures counts. Sends one message of 512 bytes to every other process.
  void fail(const Failure& failure) noexcept;

  /// Collective: all processes learn whether any has failed. A communicator must not be freed while messages are under
  /// way, so the destructor leaves it to MPI_Finalize after a failure. A process that ended all its exchanges before
  /// another process failed learns of that failure only by this call.
  void settle() noexcept;

  /// Throws what has failed earlier, on this process or on one that has sent a notice. If that was in the exchange that
  /// is next here, the text is the one that all processes get.
  void require_sound();

  /// Returns the number of the next exchange. Every process has to start its exchanges in the same order.
  std::uint64_t next_number();

  /// Returns the first tag of an exchange. The tags are used again after highest_tag / 3 exchanges.
  int first_tag(std::uint64_t number) const;

  /// Starts the run, which has the next number. It is advanced with the others until it is over or leaves. It waits
  /// while an earlier run with the same tags is under way, so that messages of one tag between two processes belong to
  /// the runs in their order.
  void start(AlltoallRun& run);
  void leave(const AlltoallRun& run);

  /// Keeps the memory of a run that has failed, as MPI may still send from it.
  void keep(std::unique_ptr<RunMemory> memory) noexcept;

  /// Advances all runs, and returns whether anything happened. Throws nothing: a run keeps what fails in it.
  bool advance();

  /// Advances all runs once, and returns whether this one is over.
  bool test(const AlltoallRun& run);

  /// Advances all runs until this one is over, and yields the core while nothing happens.
  void wait(const AlltoallRun& run);

  /// Advances all runs until nothing is under way. Other collective calls may not begin before, as they would wait
  /// without advancing the runs that other processes need.
  void drain();

 private:
  bool is_over(const AlltoallRun& run);
  std::uint64_t runs_with_tags() const;
  bool has_its_tags(const AlltoallRun& run) const;
  void announce(std::uint64_t number, const Failure& failure) noexcept;
  void announce_failure_of(const AlltoallRun& run);
  void receive_notice();

  OwnedComm comm_;
  bool is_checked_;
  int highest_tag_;
  std::mutex mutex_;
  std::uint64_t next_number_ = 0;
  std::vector<AlltoallRun*> runs_;  ///< under way, in the order of their numbers
  unsigned idle_count_ = 0;
  std::unique_ptr<FailureNotice> notice_;  ///< memory for the first failure
  bool has_failed_ = false;
  std::unique_ptr<RunMemory> kept_;
};

}  // namespace cubefold::mpi
