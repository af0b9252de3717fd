#include "progress_thread.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "comm_attribute.hpp"
#include "comm_state.hpp"
#include "cubefold/mpi/error.hpp"
#include "interception.hpp"
#include "mpi/agreement.hpp"
#include "mpi/neighbours.hpp"
#include "mpi/processes.hpp"
#include "neighbours.hpp"

namespace cubefold::preload {

using mpi::check;

// If there can be no thread, the caller still has the duplicate, on which the processes agree on the failure.
ProgressThread::ProgressThread(mpi::OwnedComm&& duplicate, bool serves_neighbours)
    : serves_neighbours_(serves_neighbours), thread_([this](const std::stop_token& stop) { work(stop); }) {
  duplicate_ = std::move(duplicate);
}

void ProgressThread::add(std::list<Task>& one_task) noexcept {
  {
    const std::lock_guard lock(mutex_);
    ++under_way_;
    tasks_.splice(tasks_.end(), one_task);
  }
  changed_.notify_one();
}

void ProgressThread::end() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void ProgressThread::work(const std::stop_token& stop) noexcept {
  while (const auto task = next_task(stop)) (*task)();
}

/// Returns the next task, or nothing if the thread has to end.
std::optional<ProgressThread::Task> ProgressThread::next_task(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  if (!changed_.wait(lock, stop, [&] { return !tasks_.empty(); })) return std::nullopt;
  std::optional next(std::move(tasks_.front()));
  tasks_.pop_front();
  return next;
}

namespace {

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

/// Returns a retired thread that can be freed, or null. After end_progress_threads() there is none.
std::unique_ptr<ProgressThread> take_retired() {
  AllThreads& all = all_threads();
  const std::lock_guard lock(all.mutex);
  if (all.have_ended) return nullptr;
  const auto found = std::ranges::find_if(all.threads, &ProgressThread::can_be_freed);
  if (found == all.threads.end()) return nullptr;
  std::unique_ptr<ProgressThread> retired(*found);
  all.threads.erase(found);
  return retired;
}

void free_retired() {
  while (take_retired()) continue;
}

/// MPI calls this when a communicator is freed. Exchanges that are under way may need other processes, which may free
/// other communicators first. Then the thread is freed with a later communicator, or stays until MPI_Finalize.
int free_thread(MPI_Comm, int, void* value, void*) {
  if (value != nullptr) static_cast<ProgressThread*>(value)->retire();
  free_retired();
  return MPI_SUCCESS;
}

const CommAttribute& thread_attribute() {
  static const CommAttribute attribute(free_thread);
  return attribute;
}

bool can_have_thread(MPI_Comm comm) {
  return world().has_several_threads && comm != MPI_COMM_NULL && may_have_state(comm);
}

/// The size of blocks for which a thread is worth having.
constexpr std::size_t typical_bytes = 1 << 10;

/// Returns whether cubefold reduces or gathers vectors of some bytes.
bool may_reduce(const KnownProcesses& known) {
  return std::ranges::any_of(all_vector_collectives, [&](VectorCollective each) {
    return known.least_vector_bytes(each) != KnownProcesses::no_vector;
  });
}

/// Collective: returns a thread for a communicator, or null if cubefold makes no calls on it. Everything that
/// needs a new communicator is made here and not by the thread: where two threads of a process make communicators, Open
/// MPI 4.1.4 may wait for ever. This is also why MPI_Comm_idup is no way to a non-blocking call that makes a thread.
std::unique_ptr<ProgressThread> make_thread(MPI_Comm comm) {
  const InsideLibrary inside;
  free_retired();
  const std::shared_ptr<Group> group = group_of(comm);
  if (!group || !group->known.reason().empty()) return nullptr;
  const bool exchanges_blocks = group->known.may_exchange(typical_bytes);
  const bool is_of_use = exchanges_blocks || may_reduce(group->known);
  const bool has_neighbours = may_exchange_with_neighbours(comm, group->known);
  if (!is_of_use && !has_neighbours) return nullptr;
  mpi::OwnedComm duplicate = mpi::agreed_duplicate(comm);
  if (has_neighbours) duplicate = mpi::with_topology_of(comm, duplicate.get());
  thread_attribute().set(duplicate.get(), nullptr);  // it needs no thread
  CommState& state = give_state(duplicate.get(), group);
  Exchanges* const exchanges = exchanges_of(duplicate.get(), state);
  if (exchanges_blocks && group->known.facts().are_groups_on_hosts) exchanges->plans.make_groups();
  const bool serves_neighbours = has_neighbours && prepare_neighbours(duplicate.get(), state, *exchanges);
  if (!is_of_use && !serves_neighbours) return nullptr;
  MPI_Comm own = duplicate.get();
  return mpi::agree_on_outcome(
      own, [&] { return std::make_unique<ProgressThread>(std::move(duplicate), serves_neighbours); });
}

void keep(ProgressThread* thread) {
  AllThreads& all = all_threads();
  const std::lock_guard lock(all.mutex);
  all.threads.insert(thread);
}

/// The threads of a communicator for persistent requests, in the same order on all processes.
using Pool = std::vector<ProgressThread*>;

int free_pool(MPI_Comm, int, void* value, void*) {
  const std::unique_ptr<Pool> freed(static_cast<Pool*>(value));
  return MPI_SUCCESS;
}

const CommAttribute& pool_attribute() {
  static const CommAttribute attribute(free_pool);
  return attribute;
}

/// Returns the pool of a communicator, which is empty at first. Does not communicate.
Pool& pool_of(MPI_Comm comm) {
  if (const auto value = pool_attribute().of(comm)) return *static_cast<Pool*>(*value);
  auto made = std::make_unique<Pool>();
  pool_attribute().set(comm, made.get());
  return *made.release();
}

void copy_error_handler(MPI_Comm from, MPI_Comm to) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  check(MPI_Comm_get_errhandler(from, &handler), "MPI_Comm_get_errhandler");
  check(MPI_Comm_set_errhandler(to, handler), "MPI_Comm_set_errhandler");
  check(MPI_Errhandler_free(&handler), "MPI_Errhandler_free");
}

}  // namespace

bool wants_progress_threads() {
  // Without a copy, since calls that are passed on ask too. Nobody here sets variables.
  const char* value = std::getenv("CUBEFOLD_PROGRESS_THREAD");  // NOLINT(concurrency-mt-unsafe)
  return value != nullptr && std::string_view(value) == "1";
}

ProgressThread* progress_thread_of(MPI_Comm comm) {
  const auto value = thread_attribute().of(comm);
  return value ? static_cast<ProgressThread*>(*value) : nullptr;
}

void prepare_progress_thread(MPI_Comm comm) {
  if (!wants_progress_threads() || comm == MPI_COMM_NULL) return;
  if (mpi::process_count(comm) == 1) return;  // a process alone exchanges nothing
  if (!can_have_thread(comm) || thread_attribute().of(comm)) return;
  thread_attribute().set(comm, nullptr);  // another try would wait for all processes again
  ProgressThread* made = nullptr;         // which a failure below leaves to the end of the process
  try {
    made = make_thread(comm).release();
  } catch (const mpi::Agreed&) {
    note_reason(mpi::current_failure().text.c_str());
  }
  if (made == nullptr) return;
  keep(made);
  thread_attribute().set(comm, made);
}

int with_progress_thread(MPI_Comm from, const MPI_Comm* made) noexcept try {
  if (made != nullptr && may_replace()) prepare_progress_thread(*made);
  return MPI_SUCCESS;
} catch (...) {
  return report_failure(from, "a call that makes a communicator");
}

ProgressThread* take_thread(MPI_Comm comm) {
  if (!can_have_thread(comm)) return nullptr;
  Pool* pool = nullptr;
  std::vector<int> is_free;  // on all processes
  mpi::agree_on_outcome(comm, [&] {
    pool = &pool_of(comm);
    pool->reserve(pool->size() + 1);
    for (const ProgressThread* thread : *pool) is_free.push_back(thread->is_taken() ? 0 : 1);
  });
  check(MPI_Allreduce(MPI_IN_PLACE, is_free.data(), static_cast<int>(is_free.size()), MPI_INT, MPI_MIN, comm),
        "MPI_Allreduce");
  const auto place = static_cast<std::size_t>(std::ranges::find(is_free, 1) - is_free.begin());
  if (place == pool->size()) {
    ProgressThread* const made = make_thread(comm).release();
    if (made == nullptr) return nullptr;
    mpi::agree_on_outcome(comm, [&] {
      keep(made);
      copy_error_handler(comm, made->duplicate());
    });
    pool->push_back(made);
  }
  (*pool)[place]->take();
  return (*pool)[place];
}

void end_progress_threads() {
  AllThreads& all = all_threads();
  const std::lock_guard lock(all.mutex);
  for (ProgressThread* thread : all.threads) thread->end();
  all.have_ended = true;
}

}  // namespace cubefold::preload
