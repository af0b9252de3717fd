#include "progress_thread.hpp"

#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>
#include <thread>
#include <utility>

#include "comm_state.hpp"
#include "cubefold/mpi/error.hpp"
#include "mpi/environment.hpp"

namespace cubefold::preload {

namespace {

using mpi::check;

// These three make a request of MPI that ends when the library says so. `code` is what the exchange returned.
int describe(void* code, MPI_Status* status) {
  MPI_Status_set_elements(status, MPI_BYTE, 0);
  MPI_Status_set_cancelled(status, 0);
  status->MPI_SOURCE = MPI_UNDEFINED;
  status->MPI_TAG = MPI_UNDEFINED;
  return *static_cast<int*>(code);
}

int free_code(void* code) {
  const std::unique_ptr<int> freed(static_cast<int*>(code));
  return MPI_SUCCESS;
}

int cancel_nothing(void* /*code*/, int /*is_complete*/) {
  return MPI_SUCCESS;
}

/// The thread of a communicator and its duplicate. MPI_Comm_idup would not wait for other processes, but in Open MPI
/// 4.1.4 it waits for ever if the program makes another communicator before it is over. The thread makes one exchange after the other in the order of the program's calls.
class ProgressThread {
 public:
  explicit ProgressThread(MPI_Comm comm) : thread_([this](const std::stop_token& stop) { work(stop); }) {
    check(MPI_Comm_dup(comm, &own_), "MPI_Comm_dup");
    state_of(own_);
  }
  ProgressThread(const ProgressThread&) = delete;
  ProgressThread& operator=(const ProgressThread&) = delete;

  ~ProgressThread() {
    end();
    if (own_ != MPI_COMM_NULL) MPI_Comm_free(&own_);
  }

  void add(BlockingExchange exchange, MPI_Request* request) {
    auto code = std::make_unique<int>(MPI_SUCCESS);
    std::list<Job> added;
    added.push_back({std::move(exchange), code.get(), MPI_REQUEST_NULL});
    check(MPI_Grequest_start(describe, free_code, cancel_nothing, code.get(), request), "MPI_Grequest_start");
    static_cast<void>(code.release());  // free_code() frees it
    added.front().request = *request;
    {
      const std::lock_guard lock(mutex_);
      jobs_.splice(jobs_.end(), added);
    }
    changed_.notify_one();
  }

  /// Returns when all exchanges are over.
  void end() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
  }

 private:
  struct Job {
    BlockingExchange exchange;
    int* code;
    MPI_Request request;
  };

  void work(const std::stop_token& stop) noexcept {
    for (auto next = next_job(stop); !next.empty(); next = next_job(stop)) {
      Job& job = next.front();
      *job.code = job.exchange(own_);
      MPI_Grequest_complete(job.request);
    }
  }

  /// Returns a list of the next job, which is empty if the thread has to end.
  std::list<Job> next_job(const std::stop_token& stop) {
    std::list<Job> next;
    std::unique_lock lock(mutex_);
    if (changed_.wait(lock, stop, [&] { return !jobs_.empty(); }))
      next.splice(next.end(), jobs_, jobs_.begin());
    return next;
  }

  MPI_Comm own_ = MPI_COMM_NULL;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::list<Job> jobs_;
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

/// All processes come here when the program frees its communicator, and in MPI_Finalize, which frees nothing here.
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

int make_keyval() {
  int keyval = MPI_KEYVAL_INVALID;
  check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_thread, &keyval, nullptr),
        "MPI_Comm_create_keyval");
  return keyval;
}

int keyval() {
  static const int made = make_keyval();
  return made;
}

ProgressThread& thread_of(MPI_Comm comm) {
  void* value = nullptr;
  int is_there = 0;
  check(MPI_Comm_get_attr(comm, keyval(), static_cast<void*>(&value), &is_there), "MPI_Comm_get_attr");
  if (is_there != 0) return *static_cast<ProgressThread*>(value);
  auto made = std::make_unique<ProgressThread>(comm);
  AllThreads& all = all_threads();
  const std::lock_guard lock(all.mutex);
  all.threads.insert(made.get());
  check(MPI_Comm_set_attr(comm, keyval(), made.get()), "MPI_Comm_set_attr");
  return *made.release();
}

}  // namespace

bool wants_progress_threads() {
  return mpi::own_variable("CUBEFOLD_PROGRESS_THREAD") == "1";
}

void start_exchange(MPI_Comm comm, BlockingExchange exchange, MPI_Request* request) {
  thread_of(comm).add(std::move(exchange), request);
}

void end_progress_threads() {
  AllThreads& all = all_threads();
  const std::lock_guard lock(all.mutex);
  for (const auto& thread : all.threads) thread->end();
  all.have_ended = true;
}

}  // namespace cubefold::preload
