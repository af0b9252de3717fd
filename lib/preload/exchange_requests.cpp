#include "exchange_requests.hpp"

#include <atomic>
#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "cubefold/mpi/error.hpp"
#include "interception.hpp"
#include "mpi/processes.hpp"
#include "next_mpi.hpp"
#include "progress_thread.hpp"

namespace cubefold::preload {

namespace {

using mpi::check;

/// The thread of a communicator writes here what an exchange has returned, and the thread that waits for the request
/// reads it.
struct Outcome {
  std::atomic<int> code = MPI_SUCCESS;
  MPI_Request request = MPI_REQUEST_NULL;
};

// These three make a request of MPI that ends when the library says so.
int describe(void* outcome, MPI_Status* status) {
  MPI_Status_set_elements(status, MPI_BYTE, 0);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_UNDEFINED;
  status->MPI_TAG = MPI_UNDEFINED;
  return static_cast<Outcome*>(outcome)->code;
}

int free_outcome(void* outcome) {
  const std::unique_ptr<Outcome> freed(static_cast<Outcome*>(outcome));
  return MPI_SUCCESS;
}

int cancel_nothing(void* /*outcome*/, int /*is_complete*/) {
  return MPI_SUCCESS;
}

/// An exchange that a program starts again and again. MPI cannot start a generalised request twice. So the request is a
/// receive of an empty message from this process itself, which the thread sends when the exchange is over. A message
/// that is too long says that the exchange has failed, and is the answer to each later start. The messages go through a
/// communicator of several processes: MPI_Wait of MPICH 4.0.2 does not notice what another thread sends on
/// MPI_COMM_SELF.
struct PersistentExchange {
  ProgressThread& thread;  ///< of this exchange alone
  BlockingExchange exchange;
  int rank;  ///< of this process
  std::atomic<bool> has_failed = false;

  static constexpr int tag = 0;

  void run() {
    if (!has_failed) has_failed = exchange(thread.duplicate()) != MPI_SUCCESS;
    thread.note_end_of_exchange();
    if (complete() == MPI_SUCCESS) return;
    // The request waits for this message, so the thread sends it once more. Nobody receives it twice, provided that
    // the MPI_Send that failed has sent nothing. If the second MPI_Send fails too, the program's error handler has to
    // end the wait.
    try {
      check(complete(), "MPI_Send");
    } catch (...) {
      report_failure(thread.duplicate(), "MPI_Start");
    }
  }

  int complete() const {
    const char byte = 0;
    return MPI_Send(&byte, has_failed ? 1 : 0, MPI_BYTE, rank, tag, thread.duplicate());
  }
};

/// The persistent exchanges of this process, by their requests.
class PersistentExchanges {
 public:
  void add(ProgressThread& thread, BlockingExchange exchange, MPI_Request* request) {
    const std::lock_guard lock(mutex_);
    const int rank = mpi::rank_in(thread.duplicate());
    ByRequest one;
    one[MPI_REQUEST_NULL].reset(new PersistentExchange{thread, std::move(exchange), rank});
    auto node = one.extract(one.begin());  // whose insertion needs no memory
    check(MPI_Recv_init(nullptr, 0, MPI_BYTE, rank, PersistentExchange::tag, thread.duplicate(), request),
          "MPI_Recv_init");
    node.key() = *request;
    exchanges_.erase(*request);  // Open MPI has freed it after a failure
    exchanges_.insert(std::move(node));
    size_ = exchanges_.size();
  }

  /// Returns the exchange, or null if the request is not one of this library.
  std::shared_ptr<PersistentExchange> find(const MPI_Request* request) {
    if (is_empty() || request == nullptr) return nullptr;
    const std::lock_guard lock(mutex_);
    const auto found = exchanges_.find(*request);
    return found == exchanges_.end() ? nullptr : found->second;
  }

  /// Forgets the exchange of a request that is about to be freed, whose handle MPI may use again. After a failure,
  /// messages may be left over, so no other request gets the thread.
  void remove(const MPI_Request* request) {
    if (is_empty() || request == nullptr) return;
    const std::lock_guard lock(mutex_);
    const auto found = exchanges_.find(*request);
    if (found == exchanges_.end()) return;
    if (!found->second->has_failed) found->second->thread.release();
    exchanges_.erase(found);
    size_ = exchanges_.size();
  }

  bool is_empty() const { return size_ == 0; }

 private:
  using ByRequest = std::map<MPI_Request, std::shared_ptr<PersistentExchange>>;

  std::mutex mutex_;
  ByRequest exchanges_;
  std::atomic<std::size_t> size_ = 0;  ///< lets calls for other requests pass without the lock
};

PersistentExchanges& persistent_exchanges() {
  static PersistentExchanges all;
  return all;
}

int start(MPI_Request* request, Name name) {
  const auto next = [&](const NextMpi& mpi) { return mpi.Start(request); };
  const auto exchange = persistent_exchanges().find(request);
  if (exchange == nullptr) return pass_on(name, next);
  try {
    std::list<ProgressThread::Task> task;
    task.emplace_back([exchange] { exchange->run(); });
    const int code = pass_on(Name::pmpi, next);
    if (code == MPI_SUCCESS) exchange->thread.add(task);
    return code;
  } catch (...) {
    return report_failure(exchange->thread.duplicate(), "MPI_Start");
  }
}

int start_all(int count, MPI_Request* requests, Name name) {
  if (count < 0 || requests == nullptr || persistent_exchanges().is_empty())
    return pass_on(name, [&](const NextMpi& mpi) { return mpi.Startall(count, requests); });
  for (int i = 0; i < count; ++i)
    if (const int code = start(requests + i, name); code != MPI_SUCCESS) return code;
  return MPI_SUCCESS;
}

int free_request(MPI_Request* request, Name name) {
  persistent_exchanges().remove(request);
  return pass_on(name, [&](const NextMpi& mpi) { return mpi.Request_free(request); });
}

}  // namespace

bool start_exchange(MPI_Comm comm, BlockingExchange exchange, MPI_Request* request) {
  ProgressThread* const thread = progress_thread_of(comm);
  if (thread == nullptr) return false;
  auto outcome = std::make_unique<Outcome>();
  std::list<ProgressThread::Task> task;
  task.emplace_back([exchange = std::move(exchange), &outcome = *outcome, thread] {
    outcome.code = exchange(thread->duplicate());
    thread->note_end_of_exchange();
    MPI_Grequest_complete(outcome.request);
  });
  check(MPI_Grequest_start(describe, free_outcome, cancel_nothing, outcome.get(), request),
        "MPI_Grequest_start");
  outcome.release()->request = *request;  // free_outcome() frees it
  thread->add(task);
  return true;
}

bool make_persistent_exchange(MPI_Comm comm, BlockingExchange exchange, MPI_Request* request) {
  ProgressThread* const thread = take_thread(comm);
  if (thread != nullptr) persistent_exchanges().add(*thread, std::move(exchange), request);
  return thread != nullptr;
}

}  // namespace cubefold::preload

CUBEFOLD_REPLACE(Start, (MPI_Request * request), cubefold::preload::start(request, name))

CUBEFOLD_REPLACE(Startall, (int count, MPI_Request* requests),
                 cubefold::preload::start_all(count, requests, name))

CUBEFOLD_REPLACE(Request_free, (MPI_Request * request), cubefold::preload::free_request(request, name))
