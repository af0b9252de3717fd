#include "progress_thread.hpp"

#include <atomic>
#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <thread>
#include <utility>

#include "comm_attribute.hpp"
#include "comm_state.hpp"
#include "cubefold/mpi/error.hpp"
#include "cubefold/mpi/owned_comm.hpp"
#include "mpi/agreement.hpp"
#include "mpi/environment.hpp"
#include "mpi/processes.hpp"

namespace cubefold::preload {

namespace {

using mpi::check;

/// What an exchange returned. The thread of the communicator writes it, and the one that waits for the request reads it.
using ReturnCode = std::atomic<int>;

// These three make a request of MPI that ends when the library says so.
int describe(void* code, MPI_Status* status) {
  MPI_Status_set_elements(status, MPI_BYTE, 0);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_UNDEFINED;
  status->MPI_TAG = MPI_UNDEFINED;
  return *static_cast<ReturnCode*>(code);
}

int free_code(void* code) {
  const std::unique_ptr<ReturnCode> freed(static_cast<ReturnCode*>(code));
  return MPI_SUCCESS;
}

int cancel_nothing(void* /*code*/, int /*is_complete*/) {
  return MPI_SUCCESS;
}

/// The thread of a communicator and its duplicate, on which it makes one exchange after the other in the order of the
/// program's calls.
class ProgressThread {
 public:
  explicit ProgressThread(mpi::OwnedComm&& duplicate)
      : duplicate_(std::move(duplicate)), thread_([this](const std::stop_token& stop) { work(stop); }) {}
  ProgressThread(const ProgressThread&) = delete;
  ProgressThread& operator=(const ProgressThread&) = delete;
  ~ProgressThread() { end(); }

  void add(BlockingExchange exchange, MPI_Request* request) {
    auto code = std::make_unique<ReturnCode>(MPI_SUCCESS);
    std::list<QueuedExchange> added;  // whose splice needs no memory
    added.push_back({std::move(exchange), code.get(), MPI_REQUEST_NULL});
    check(MPI_Grequest_start(describe, free_code, cancel_nothing, code.get(), request), "MPI_Grequest_start");
    static_cast<void>(code.release());  // free_code() frees it
    added.front().request = *request;
    {
      const std::lock_guard lock(mutex_);
      queue_.splice(queue_.end(), added);
    }
    changed_.notify_one();
  }

  /// Returns when all exchanges are over.
  void end() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
  }

 private:
  struct QueuedExchange {
    BlockingExchange exchange;
    ReturnCode* code;
    MPI_Request request;
  };

  void work(const std::stop_token& stop) noexcept {
    while (const auto next = next_exchange(stop)) {
      *next->code = next->exchange(duplicate_.get());
      MPI_Grequest_complete(next->request);
    }
  }

  /// Returns the next exchange, or nothing if the thread has to end.
  std::optional<QueuedExchange> next_exchange(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait(lock, stop, [&] { return !queue_.empty(); })) return std::nullopt;
    std::optional next(std::move(queue_.front()));
    queue_.pop_front();
    return next;
  }

  mpi::OwnedComm duplicate_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::list<QueuedExchange> queue_;
  std::jthread thread_;  ///< the last member, since it uses the others
};

/// The threads of this process, which are attributes of their communicators.
struct AllThreads {
  std::mutex mutex;
  std::set<ProgressThread*> threads;
  bool have_ended = false;
};

AllThreads& all_threads() {
  static AllThreads all;
  return all;
}

/// MPI calls this when a communicator is freed. After end_progress_threads() it does nothing.
int free_thread(MPI_Comm, int, void* value, void*) {
  auto* const thread = static_cast<ProgressThread*>(value);
  AllThreads& all = all_threads();
  {
    const std::lock_guard lock(all.mutex);
    if (all.have_ended) return MPI_SUCCESS;
    all.threads.erase(thread);
  }
  const std::unique_ptr<ProgressThread> freed(thread);
  return MPI_SUCCESS;
}

const CommAttribute& thread_attribute() {
  static const CommAttribute attribute(free_thread);
  return attribute;
}

/// Collective: returns the thread of a communicator, or null if its processes are on no grid. Everything that needs a
/// new communicator is made here and not by the thread: where two threads of a process make communicators, Open MPI
/// 4.1.4 may wait for ever. This is also why MPI_Comm_idup is no way to a first call that does not wait.
std::unique_ptr<ProgressThread> make_thread(MPI_Comm comm) {
  mpi::OwnedComm duplicate = mpi::own_duplicate(comm);
  CommState* const state = state_of(duplicate.get());
  if (state == nullptr) return nullptr;
  if (state->comm.sharing() != nullptr) state->plans->make_groups();
  std::unique_ptr<ProgressThread> made;
  mpi::collective_try(duplicate.get(),
                      [&] { made = std::make_unique<ProgressThread>(std::move(duplicate)); });
  return made;
}

ProgressThread* thread_of(MPI_Comm comm) {
  if (const auto value = thread_attribute().of(comm)) return static_cast<ProgressThread*>(*value);
  auto made = make_thread(comm);
  AllThreads& all = all_threads();
  const std::lock_guard lock(all.mutex);
  thread_attribute().set(comm, made.get());
  if (made) all.threads.insert(made.get());
  return made.release();
}

}  // namespace

bool wants_progress_threads() {
  return mpi::own_variable("CUBEFOLD_PROGRESS_THREAD") == "1";
}

bool start_exchange(MPI_Comm comm, BlockingExchange exchange, MPI_Request* request) {
  ProgressThread* const thread = thread_of(comm);
  if (thread != nullptr) thread->add(std::move(exchange), request);
  return thread != nullptr;
}

void end_progress_threads() {
  AllThreads& all = all_threads();
  const std::lock_guard lock(all.mutex);
  for (ProgressThread* thread : all.threads) thread->end();
  all.have_ended = true;
}

}  // namespace cubefold::preload
