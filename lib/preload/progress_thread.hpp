#pragma once

#include <mpi.h>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "cubefold/mpi/owned_comm.hpp"

namespace cubefold::preload {

/// Returns whether CUBEFOLD_PROGRESS_THREAD is 1: threads of this library make the program's non-blocking exchanges.
bool wants_progress_threads();

/// The thread of a communicator. It makes one exchange after the other, in the order of the program's calls, on a
/// duplicate of the communicator, so that the program may use the communicator meanwhile.
class ProgressThread {
 public:
  /// Makes an exchange and completes its request.
  using Task = std::function<void()>;

  /// `serves_neighbours` says whether cubefold makes calls with neighbours on the duplicate, which then has the
  /// topology of the communicator.
  ProgressThread(mpi::OwnedComm&& duplicate, bool serves_neighbours);
  ProgressThread(const ProgressThread&) = delete;
  ProgressThread& operator=(const ProgressThread&) = delete;
  ~ProgressThread() { end(); }

  /// Takes the task out of a list of one, which needs no memory.
  void add(std::list<Task>& one_task) noexcept;

  /// Returns when all tasks are over.
  void end();

  /// A task calls this when its exchange is over and before it completes the request.
  void note_end_of_exchange() { --under_way_; }

  /// Marks the thread as one to free, because the program has freed the communicator.
  void retire() { is_retired_ = true; }

  /// Returns whether the thread can be freed without a wait for other processes.
  bool can_be_freed() const { return is_retired_ && under_way_ == 0; }

  /// Returns the duplicate. Exchanges send no messages between two processes on it, so requests may.
  MPI_Comm duplicate() const { return duplicate_.get(); }

  bool serves_neighbours() const { return serves_neighbours_; }

  /// These say whether a persistent request has this thread for itself. They do not communicate.
  bool is_taken() const { return is_taken_; }
  void take() { is_taken_ = true; }
  void release() { is_taken_ = false; }

 private:
  void work(const std::stop_token& stop) noexcept;
  std::optional<Task> next_task(const std::stop_token& stop);

  mpi::OwnedComm duplicate_;
  bool serves_neighbours_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::list<Task> tasks_;
  std::atomic<std::size_t> under_way_ = 0;  ///< exchanges
  std::atomic<bool> is_retired_ = false;
  std::atomic<bool> is_taken_ = false;
  std::jthread thread_;  ///< the last member, since it uses the others
};

/// Returns the thread of this communicator, or null if there is none. Does not communicate.
ProgressThread* progress_thread_of(MPI_Comm comm);

/// Collective: makes the thread of a communicator and its duplicate, which are freed after it, when its exchanges are
/// over. Does nothing at later calls, if the user does not want threads, and where they are of no use: without
/// MPI_THREAD_MULTIPLE, and where all calls are passed on. If all processes have agreed that one of them cannot have a
/// thread, there is none. Throws std::bad_alloc and mpi::Error.
void prepare_progress_thread(MPI_Comm comm);

/// Collective: prepares a thread for a communicator that the program has just made from another one, and returns what
/// MPI returns. A failure goes to the error handler of the other one.
int with_progress_thread(MPI_Comm from, const MPI_Comm* made) noexcept;

/// Takes a thread for a persistent request of this communicator: one that was released on all processes, or else a new
/// one. Each request has its own, because processes may start persistent exchanges in different orders. The thread has
/// the error handler of the communicator, and stays until MPI_Finalize: a request is freed by each process alone, and
/// maybe after its communicator. Is collective, and returns null where prepare_progress_thread() makes no thread.
/// Throws mpi::Agreed on all processes if one of them cannot have a thread, std::bad_alloc, and mpi::Error.
ProgressThread* take_thread(MPI_Comm comm);

/// Ends all threads after their exchanges, because MPI_Finalize is next. Communicators keep their duplicates.
void end_progress_threads();

}  // namespace cubefold::preload
