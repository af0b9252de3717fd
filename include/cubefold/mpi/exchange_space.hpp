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

class ExchangeRun;
struct FailureNotice;
struct RunMemory;

/// The communicator and the tags that the exchanges on one set of processes share, and those of them that are under
/// way. A process that waits for one exchange moves all of them, as another process may wait for another one first.
/// Several threads may use a space where MPI_THREAD_MULTIPLE is provided.
///
/// A process that fails alone in a collective call tells the others with a message of its own. Those that wait for it
/// in an exchange then throw the same text with the process named, and so do the later calls of all: after such a
/// failure the processes no longer agree on which exchange comes next.
class CUBEFOLD_API ExchangeSpace {
 public:
  /// Collective: makes a space on a duplicate of the communicator, whose ranks the exchanges will count. If the
  /// environment variable CUBEFOLD_CHECK is 1 on any process, then block sizes are compared ahead of every exchange.
  /// Uses the tags 0 .. highest_tag; every MPI has those of the default. Throws std::invalid_argument on all processes
  /// if CUBEFOLD_CHECK is neither empty, 0 nor 1 on any.
  static std::shared_ptr<ExchangeSpace> on(MPI_Comm comm, int highest_tag = 32767);

  /// Takes the communicator over. Local.
  ExchangeSpace(OwnedComm&& comm, bool is_checked, int highest_tag);
  ExchangeSpace(const ExchangeSpace&) = delete;
  ExchangeSpace& operator=(const ExchangeSpace&) = delete;
  ~ExchangeSpace();

  MPI_Comm comm() const { return comm_.get(); }
  bool is_checked() const { return is_checked_; }

  /// Does `work`, which is one collective call on the space. What it throws on this process alone, that is anything but
  /// Agreed, is a failure of this process as fail() has it, and thrown on. Throws what has failed earlier without doing
  /// `work`.
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

  /// Ends the exchanges of this space, those that are under way excepted, and tells the other processes so. Of several
  /// failures the first counts. Sends one message of 512 bytes to every other process.
  void fail(const Failure& failure) noexcept;

  /// Collective: all processes learn whether any has failed. A communicator that has messages under way must not be
  /// freed, so that after a failure the destructor leaves it to MPI_Finalize; processes that ended all their exchanges
  /// before another failed know it by this call alone.
  void settle() noexcept;

  /// Throws what has failed earlier, here or on a process that this one has heard of; where that was in the exchange
  /// that is next here, then with the text that all processes get.
  void require_sound();

  /// The number that the next exchange will have. Every process has to start its exchanges in the same order.
  std::uint64_t next_number();

  /// The first of the tags of an exchange. After highest_tag / 3 exchanges they come round again.
  int first_tag(std::uint64_t number) const;

  /// Starts the run, which has the next number: it will be advanced with the others, until it is over or leaves. While
  /// an earlier run with the same tags is under way here it waits: so messages of one tag between two processes are
  /// always those of the runs in their order.
  void start(ExchangeRun& run);
  void leave(const ExchangeRun& run);

  /// Takes memory of a run that has failed, which MPI may still send from.
  void keep(std::unique_ptr<RunMemory> memory) noexcept;

  /// Advances all runs; whether anything happened. Throws nothing: a run keeps what fails in it.
  bool advance();

  /// Advances all runs once; whether this one is over.
  bool test(const ExchangeRun& run);

  /// Advances all until this one is over, and gives way to other processes meanwhile.
  void wait(const ExchangeRun& run);

  /// Waits until nothing is under way. What is collective beside the exchanges may not begin before.
  void drain();

 private:
  bool is_over(const ExchangeRun& run);
  std::uint64_t runs_with_tags() const;
  bool has_its_tags(const ExchangeRun& run) const;
  void announce(std::uint64_t number, const Failure& failure) noexcept;
  void note_failure_of(const ExchangeRun& run);
  void hear();

  OwnedComm comm_;
  bool is_checked_;
  int highest_tag_;
  std::mutex mutex_;
  std::uint64_t next_number_ = 0;
  std::vector<ExchangeRun*> runs_;  ///< in the order of their numbers
  unsigned idle_count_ = 0;
  std::unique_ptr<FailureNotice> notice_;  ///< memory for the first failure
  bool has_failed_ = false;
  std::unique_ptr<RunMemory> kept_;
};

}  // namespace cubefold::mpi
