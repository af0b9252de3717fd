#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "agreement.hpp"
#include "cubefold/export.h"
#include "cubefold/mpi/owned_comm.hpp"
#include "failure_notices.hpp"
#include "waiting.hpp"

namespace cubefold::mpi {

/// The communicator and the tags of the messages of one run. No other run under way uses these tags.
struct TagRange {
  MPI_Comm comm;
  int first_tag;             ///< first of tag_count consecutive tags
  std::uint64_t number = 0;  ///< number of the run in the order in which all processes start their runs

  int data_tag() const { return first_tag; }
  int control_tag() const { return first_tag + 1; }

  static constexpr int tag_count = 2;
};

/// What a communication context advances until it is over: an exchange, a CC-cube algorithm, a swap. A run makes
/// progress only in advance(), which never waits for another process.
class CUBEFOLD_API Run {
 public:
  /// `has_calls` says whether the run calls back the user, which only the thread that made the run may do.
  explicit Run(std::uint64_t number, bool has_calls = false) : number_(number), has_calls_(has_calls) {}
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  virtual ~Run() = default;

  /// Returns the number of the run among those of its communication context.
  std::uint64_t number() const { return number_; }

  bool belongs_to_this_thread() const { return !has_calls_ || thread_ == std::this_thread::get_id(); }

  /// Does all work that is possible without waiting, and returns whether there was any. A failure ends the run and is
  /// kept. If nothing else is possible, polls MPI until a message is over, at most `most_polls` times.
  bool advance(unsigned most_polls = 1);

  bool is_over() const { return is_over_; }

  /// Returns the failure of the run, or null.
  const std::exception_ptr& failure() const { return failure_; }

  /// Ends the run with a failure.
  void end_with(std::exception_ptr failure) noexcept;

  /// Returns the processes that this process waits for.
  virtual Awaited awaited() const = 0;

  /// Returns whether only messages, and no clock, let the run go on.
  virtual bool waits_for_messages_only() const { return true; }

 protected:
  void end() { is_over_ = true; }

 private:
  /// Does the work of advance(). It may throw.
  virtual bool move(unsigned most_polls) = 0;

  std::uint64_t number_;
  bool has_calls_;
  std::thread::id thread_ = std::this_thread::get_id();
  bool is_over_ = false;
  std::exception_ptr failure_;
};

/// The memory of a run that MPI may send from, or write to if it exchanges packed blocks itself.
struct RunMemory {
  std::vector<std::byte> scratch;
  std::vector<std::byte> packed;
  std::vector<std::byte> packed_received;
};

/// The communication context of the exchanges on one set of processes: their communicator, their tags, and the runs
/// that are under way. A process that waits for one run advances all of them, because another process may wait for
/// another run first. Several threads may use a context with MPI_THREAD_MULTIPLE.
///
/// A process that fails alone in a collective call sends a notice to every other process. Processes that wait for it in
/// an exchange then throw the same text, which names the process. All later calls on all processes throw it too,
/// because after such a failure the processes no longer agree on the next exchange.
class CUBEFOLD_API CommContext {
 public:
  /// Facts that hold if they hold on any process. All processes act on them alike.
  struct Anywhere {
    bool is_checked;   ///< CUBEFOLD_CHECK is 1
    bool has_devices;  ///< the driver of a device is loaded, so the host may be unable to read a buffer
  };

  /// Collective: finds out what holds on any process. Throws std::invalid_argument on all processes if CUBEFOLD_CHECK
  /// is neither empty, 0 nor 1 on any process.
  static Anywhere facts_anywhere(MPI_Comm comm);

  /// Collective: makes a context on a duplicate of the communicator. The ranks of the exchanges are those of the
  /// communicator. If the environment variable CUBEFOLD_CHECK is 1 on any process, block sizes are compared before
  /// every exchange. The context uses the tags 0 .. highest_tag; every MPI has the tags up to 32767. Throws
  /// std::invalid_argument on all processes if CUBEFOLD_CHECK is neither empty, 0 nor 1 on any process, and as
  /// TimeLimit::on(), whose limit holds for all waits of the context.
  static std::shared_ptr<CommContext> on(MPI_Comm comm, int highest_tag = 32767);

  /// Takes over the communicator, unless it throws. Does not communicate.
  CommContext(OwnedComm&& comm, Anywhere anywhere, TimeLimit limit, int highest_tag = 32767);
  CommContext(const CommContext&) = delete;
  CommContext& operator=(const CommContext&) = delete;
  ~CommContext();

  MPI_Comm comm() const { return comm_.get(); }
  const Anywhere& anywhere() const { return anywhere_; }
  bool is_checked() const { return anywhere_.is_checked; }
  bool has_devices() const { return anywhere_.has_devices; }
  TimeLimit time_limit() const { return limit_; }

  /// Runs `work`, which is one collective call on the context. If it throws an exception that is not Agreed, the
  /// failure is on this process alone; the function then calls fail() and rethrows the exception. If an exchange has
  /// failed earlier, throws as throw_if_failed() without running `work`.
  template <typename Work>
  decltype(auto) notify_on_failure(Work&& work) {
    throw_if_failed();
    try {
      return std::forward<Work>(work)();
    } catch (const Agreed&) {
      throw;
    } catch (...) {
      fail(current_failure());
      throw;
    }
  }

  /// Makes all later exchanges of this context fail, and notifies the other processes. Exchanges that are under way go
  /// on. Only the first of several failures counts. Sends one message of at most 512 bytes to every other process.
  void fail(const Failure& failure) noexcept;

  /// Collective: finds out on all processes whether any process has failed, because a process that ended all its
  /// exchanges before another one failed does not know of it. The destructor does not communicate: it leaves the
  /// communicator to MPI_Finalize if this process knows of a failure. Returns the code of the call of MPI, which the
  /// caller has to tell the user.
  int agree_on_failures() noexcept;

  /// Throws the first failure of this process, or of a process whose notice has arrived, if there is one. If that
  /// failure was in the exchange that is next on this process, the text is the same as on the other processes.
  /// Otherwise the text says that the failure was earlier.
  void throw_if_failed();

  /// Receives the notice of a process that has failed, if one has arrived, and throws it as throw_if_failed(). A
  /// process that waits for others outside of the context's exchanges has to call this.
  void throw_if_peer_failed();

  /// Waits for the notice that another process is about to send, and throws it as throw_if_failed(). Returns if none
  /// comes within the time limit.
  void await_notice();

  /// Collective: waits until all processes are here if there is a time limit, and otherwise does nothing. It has to be
  /// called before a collective call of MPI, which cannot be left when a process does not come. Throws Error with
  /// Status::timeout when the limit is over, and as throw_if_failed() if another process fails meanwhile. Sends an
  /// empty message to every other process, so that each knows who is missing.
  void barrier_within_limit() { barrier_within_limit(NoticeFilter::all_failures); }

  /// Returns whether a process has waited too long, as far as this process has been told. Then no collective call may
  /// follow, because a process may be missing. Communicators are left to MPI_Finalize.
  bool has_timed_out();

  /// Collective: agrees on failures as agree() does. If any process has called fail(), all later calls on all processes
  /// throw that failure.
  void agree_on(const std::optional<Failure>& failure);

  /// Collective: runs work(), in which processes wait for one another only by swap(). If it throws on any process, all
  /// throw that failure, as do all later calls.
  template <typename Work>
  void try_with_swaps(Work&& work) {
    throw_if_failed();
    std::optional<Failure> failure;
    try {
      std::forward<Work>(work)();
    } catch (const Agreed&) {
      // The failure is that of another process, from which this one has had a notice.
    } catch (...) {
      failure = current_failure();
      fail(*failure);
    }
    agree_on(failure);
  }

  /// Collective: sends `bytes` to a process and receives as many from it, or does nothing if that is MPI_PROC_NULL.
  /// Throws as throw_if_failed() if another process fails meanwhile. After a failure MPI may still read what is sent.
  void swap(const void* sent, void* received, int bytes, int peer);

  /// Returns whether this process knows of a failure, of which a notice may have arrived meanwhile. After
  /// agree_on_failures() all processes return the same.
  bool has_failed();

  /// Returns the number and the tags of the next run. All processes must start their runs in the same order. Tags are
  /// reused after highest_tag / 2 runs.
  TagRange next_tags();

  /// Starts the run, which must have the next number. It is advanced with the other runs until it is over or leave() is
  /// called. It waits while an earlier run with the same tags is under way, so that messages of one tag between two
  /// processes match in the order of the runs. Takes memory only if more than 8 runs are under way.
  void start(Run& run);
  void leave(const Run& run);

  /// Starts the run, waits for it and leaves it. The run keeps its failure.
  void complete(Run& run);

  /// Advances all runs, and returns whether anything happened. A run that fails keeps its exception. A run that waits
  /// for messages polls MPI until one is over, at most `most_polls` times.
  bool advance(unsigned most_polls = 1);

  /// Advances all runs once, and returns whether the given run is over.
  bool test(const Run& run);

  /// Advances all runs until the given run is over, and calls look(), if that is given, when nothing happens. Yields
  /// the core or sleeps then. When nothing happens for longer than the time limit, the run ends with a failure of
  /// Status::timeout, and the other processes get a notice.
  void wait(const Run& run, const std::function<void()>& look = {});

  /// Advances all runs until none is under way. This must be done before any other collective call, which would wait
  /// without advancing the runs that other processes need. When nothing happens for longer than the time limit, all
  /// runs end as in wait().
  void drain();

  /// Collective: completes all exchanges that are under way, and replaces each value by the largest of all processes.
  /// Takes no memory. Requires at most most_reduced values. Throws as throw_if_failed() if another process fails
  /// meanwhile.
  void reduce_to_largest(std::span<double> values);
  static constexpr std::size_t most_reduced = 7;

  /// Returns what reduce_to_largest() makes of a single value.
  double largest(double value) {
    reduce_to_largest({&value, 1});
    return value;
  }

 private:
  /// The number of successive polls without progress after which advance() and waits also look for a notice of failure.
  static constexpr unsigned idle_polls_before_probing = 32;

  /// The failures of others that end a wait.
  enum class NoticeFilter : std::uint8_t { all_failures, timeouts };

  /// Returns how often a process that waits for a run polls MPI before it looks at anything else: several times, unless
  /// it has to advance something else or another thread may want the lock. Open MPI 4.1 reports a message only in the
  /// poll after the one in which it arrives, and may sleep in a poll. The way from MPI to the loop of the wait and back
  /// is then no longer in the caches and takes microseconds.
  unsigned polls_at_once(const Run& run) const;

  /// Every wait of the context for other processes is a call of mpi::wait_until(). Its limit begins anew whenever
  /// anything happens in a run.
  template <typename IsOver, typename LookAt, typename OutOfTime>
  void wait_until(IsOver is_over, LookAt look, OutOfTime out_of_time) {
    LimitedWait limited(limit_, &progress_);
    mpi::wait_until(limited, is_over, look, out_of_time);
  }

  bool is_over(const Run& run);
  void barrier_within_limit(NoticeFilter filter);
  void require_all_in_time();
  void fail_timed_out_runs(const Run* only);
  [[noreturn]] void throw_first(const char* before);
  std::uint64_t runs_with_tags() const;
  int first_tag(std::uint64_t number) const;
  bool has_its_tags(const Run& run) const;
  void announce_failure_of(const Run& run);
  void receive_notice();
  int barrier_message_tag() const { return highest_tag_ - 1; }

  /// Locks the context for one of several threads. Where threads may not call MPI at once, the caller serialises them.
  std::unique_lock<std::mutex> locked() {
    return has_threads_ ? std::unique_lock(mutex_) : std::unique_lock<std::mutex>();
  }

  OwnedComm comm_;
  Anywhere anywhere_;
  bool has_threads_;  ///< whether several threads may use the context at once
  TimeLimit limit_;
  int highest_tag_;
  std::mutex mutex_;
  std::uint64_t next_number_ = 0;
  std::vector<Run*> runs_;  ///< runs under way, in the order of their numbers
  unsigned idle_polls_ = 0;
  std::atomic<std::uint64_t> progress_ = 0;  ///< increases when anything happens in a run
  FailureNotices notices_;
  std::unique_ptr<std::array<double, most_reduced>> reduced_;  ///< buffer of reduce_to_largest()
};

}  // namespace cubefold::mpi
