#include "comm_context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "cubefold/mpi/error.hpp"
#include "device_memory.hpp"
#include "processes.hpp"
#include "request_set.hpp"
#include "settings.hpp"

namespace cubefold::mpi {

namespace {

bool is_checked_here() {
  const std::string text = own_variable("CUBEFOLD_CHECK");
  if (text.empty() || text == "0") return false;
  if (text == "1") return true;
  throw std::invalid_argument(fmt::format("CUBEFOLD_CHECK '{}' is neither 0 nor 1", text));
}

/// Throws a failure of which all processes hear, or a timeout, which a process that is missing does not know.
template <typename MakeText>
[[noreturn]] void throw_known(Status status, MakeText make_text) {
  if (status == Status::timeout) throw Error(status, make_text());
  throw_agreed(status, make_text, KnownBy::notice);
}

std::exception_ptr exception_of(const FailureNotice& notice) noexcept {
  try {
    throw_known(notice.status, [&] { return std::string(notice.text.data()); });
  } catch (...) {
    return std::current_exception();
  }
}

/// Returns the failure of a run if it has happened on this process alone.
std::optional<Failure> own_failure(const Run& run) {
  if (!run.failure()) return std::nullopt;
  try {
    std::rethrow_exception(run.failure());
  } catch (const Agreed&) {
    return std::nullopt;
  } catch (...) {
    return current_failure();
  }
}

/// Sessions may have different levels of threads, and MPI_Query_thread() knows of none.
bool has_threads() {
  if (job_comm() != MPI_COMM_WORLD) return true;
  int provided = MPI_THREAD_SINGLE;
  check(MPI_Query_thread(&provided), "MPI_Query_thread");
  return provided == MPI_THREAD_MULTIPLE;
}

/// A message to a process and one from it.
class Swap : public Run {
 public:
  Swap(const void* sent, void* received, int bytes, int peer, const TagRange& tags)
      : Run(tags.number), sent_(sent), received_(received), bytes_(bytes), peer_(peer), tags_(tags) {}

  Awaited awaited() const override { return {{peer_}, " in a swap"}; }

 private:
  bool move(unsigned most_polls) override {
    if (!std::exchange(has_begun_, true)) {
      messages_.receive(peer_, received_, bytes_, peer_, tags_.data_tag(), tags_.comm);
      messages_.send(peer_, sent_, bytes_, peer_, tags_.data_tag(), tags_.comm);
    }
    const bool any = messages_.end_some([](int, const MPI_Status&) {}, most_polls);
    if (messages_.empty()) end();
    return any;
  }

  const void* sent_;
  void* received_;
  int bytes_;
  int peer_;
  TagRange tags_;
  bool has_begun_ = false;
  RequestSet<int> messages_;
};

}  // namespace

CommContext::Anywhere CommContext::facts_anywhere(MPI_Comm comm) {
  std::array<int, 2> facts{};
  agree_on_outcome(comm, [&] { facts = {is_checked_here() ? 1 : 0, find_device_drivers() ? 1 : 0}; });
  check(MPI_Allreduce(MPI_IN_PLACE, facts.data(), 2, MPI_INT, MPI_MAX, comm), "MPI_Allreduce");
  return {facts[0] != 0, facts[1] != 0};
}

bool Run::advance(unsigned most_polls) {
  if (is_over_) return false;
  try {
    return move(most_polls);
  } catch (...) {
    end_with(std::current_exception());
    return true;
  }
}

void Run::end_with(std::exception_ptr failure) noexcept {
  failure_ = std::move(failure);
  is_over_ = true;
}

std::shared_ptr<CommContext> CommContext::on(MPI_Comm comm, int highest_tag) {
  OwnedComm own = OwnedComm::duplicate(comm);
  MPI_Comm handle = own.get();
  const Anywhere found = facts_anywhere(handle);
  const TimeLimit limit = TimeLimit::on(handle);
  return agree_on_outcome(
      handle, [&] { return std::make_shared<CommContext>(std::move(own), found, limit, highest_tag); });
}

CommContext::CommContext(OwnedComm&& comm, Anywhere anywhere, TimeLimit limit, int highest_tag)
    : anywhere_(anywhere),
      has_threads_(has_threads()),
      limit_(limit),
      highest_tag_(highest_tag),
      notices_(highest_tag),
      reduced_(std::make_unique<std::array<double, most_reduced>>()) {
  runs_.reserve(8);
  // This comes after all allocations: if one fails, agree_on_outcome() still needs the communicator.
  comm_ = std::move(comm);
}

// After a failure, messages that no process will receive may still be under way. Open MPI 4.1.4 reuses the number of a
// freed communicator for the next one, which would then match these messages. So this communicator stays until
// MPI_Finalize, and so does memory that MPI may still use.
CommContext::~CommContext() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized != 0 || !has_failed()) return;
  comm_.release();
  leak_to_mpi(std::move(reduced_));
}

int CommContext::first_tag(std::uint64_t number) const {
  return static_cast<int>(number % runs_with_tags()) * TagRange::tag_count;
}

std::uint64_t CommContext::runs_with_tags() const {
  return static_cast<std::uint64_t>(barrier_message_tag() / TagRange::tag_count);
}

TagRange CommContext::next_tags() {
  const auto lock = locked();
  return {comm(), first_tag(next_number_), next_number_};
}

void CommContext::fail(const Failure& failure) noexcept {
  const auto lock = locked();
  notices_.announce(comm(), next_number_++, failure);
}

bool CommContext::has_failed() {
  const auto lock = locked();
  receive_notice();
  return notices_.has_failed();
}

bool CommContext::has_timed_out() {
  const auto lock = locked();
  receive_notice();
  return notices_.has_timed_out();
}

int CommContext::agree_on_failures() noexcept {
  const auto lock = locked();
  receive_notice();
  return notices_.agree_on_failures(comm());
}

// After a timeout a process may be missing, so that nothing can be agreed on.
void CommContext::agree_on(const std::optional<Failure>& failure) {
  require_all_in_time();
  try {
    barrier_within_limit(NoticeFilter::timeouts);
  } catch (...) {
    fail(current_failure());
    throw;
  }
  try {
    agree(comm(), failure);
  } catch (const Agreed&) {
    const auto lock = locked();
    const bool has_known = notices_.has_failed();
    notices_.agree_on_failures(comm());
    if (!has_known && notices_.has_failed()) notices_.record(next_number_, current_failure());
    if (notices_.has_failed()) next_number_ = std::max(next_number_, notices_.first().number + 1);
    throw;
  }
}

/// Receives a notice of another process, if there is one, and ends the runs of the exchanges in which that process does
/// not take part.
void CommContext::receive_notice() {
  const auto heard = notices_.receive(comm());
  if (!heard) return;
  for (Run* run : runs_) {
    if (run->number() >= heard->number) run->end_with(exception_of(*heard));
  }
}

void CommContext::throw_if_failed() {
  const auto lock = locked();
  if (!notices_.has_failed()) return;
  const bool failed_here = next_number_ == notices_.first().number;
  throw_first(failed_here ? "" : "no exchange is possible after an earlier failure: ");
}

/// Throws the first failure, with some words before its text. The caller holds the lock.
void CommContext::throw_first(const char* before) {
  const FailureNotice& notice = notices_.first();
  next_number_ = std::max(next_number_, notice.number + 1);
  throw_known(notice.status, [&] { return fmt::format("{}{}", before, notice.text.data()); });
}

/// Throws a timeout of which this process knows as the failure of the present exchange.
void CommContext::require_all_in_time() {
  const auto lock = locked();
  receive_notice();
  if (notices_.has_timed_out()) throw_first("");
}

void CommContext::start(Run& run) {
  const auto lock = locked();
  runs_.push_back(&run);
  next_number_ = run.number() + 1;
}

void CommContext::leave(const Run& run) {
  const auto lock = locked();
  std::erase(runs_, &run);
}

void CommContext::complete(Run& run) {
  start(run);
  wait(run);
  leave(run);
}

/// Returns whether no earlier run that is under way has the same tags.
bool CommContext::has_its_tags(const Run& run) const {
  if (run.number() - runs_.front()->number() < runs_with_tags()) return true;
  const int tag = first_tag(run.number());
  for (const Run* earlier : runs_) {
    if (earlier == &run) break;
    if (first_tag(earlier->number()) == tag) return false;
  }
  return true;
}

void CommContext::announce_failure_of(const Run& run) {
  if (const auto failure = own_failure(run)) notices_.announce(comm(), run.number(), *failure);
}

bool CommContext::advance(unsigned most_polls) {
  const auto lock = locked();
  bool any = false;
  for (Run* run : runs_) {
    if (!run->belongs_to_this_thread() || !has_its_tags(*run)) continue;
    any = run->advance(most_polls) || any;
    if (run->is_over()) announce_failure_of(*run);
  }
  if (any) ++progress_;
  idle_polls_ = any || runs_.empty() ? 0 : idle_polls_ + most_polls;
  if (idle_polls_ > idle_polls_before_probing) receive_notice();
  std::erase_if(runs_, [](const Run* run) { return run->is_over(); });
  return any;
}

bool CommContext::is_over(const Run& run) {
  const auto lock = locked();
  return run.is_over();
}

bool CommContext::test(const Run& run) {
  advance();
  return is_over(run);
}

unsigned CommContext::polls_at_once(const Run& run) const {
  constexpr unsigned several = 4;
  if (has_threads_) return 1;  // without threads the runs can be read without the lock
  const bool is_alone = runs_.size() == 1 && runs_.front() == &run;
  return is_alone && run.waits_for_messages_only() ? several : 1;
}

void CommContext::wait(const Run& run, const std::function<void()>& look) {
  wait_until([&] { return is_over(run); },
             [&](bool is_long) {
               const unsigned polls = look || is_long ? 1 : polls_at_once(run);
               if (advance(polls)) return 0U;
               if (look) look();
               return polls;
             },
             [&] { fail_timed_out_runs(&run); });
}

/// Ends one run or all runs, for which this process has waited too long, and tells the other processes.
void CommContext::fail_timed_out_runs(const Run* only) {
  const auto lock = locked();
  for (Run* run : runs_) {
    if (only != nullptr && run != only) continue;
    try {
      throw_timeout(comm(), limit_, run->awaited());
    } catch (...) {
      // The others hear of it first, because MPI may wait for a process that is late when a receive is cancelled.
      notices_.announce(comm(), run->number(), current_failure());
      run->end_with(std::current_exception());
    }
  }
  std::erase_if(runs_, [](const Run* run) { return run->is_over(); });
}

void CommContext::drain() {
  const auto is_empty = [&] {
    const auto lock = locked();
    return runs_.empty();
  };
  wait_until(
      is_empty, [&](bool) { return advance() ? 0U : 1U; }, [&] { fail_timed_out_runs(nullptr); });
}

void CommContext::throw_if_peer_failed() {
  if (has_failed()) throw_if_failed();
}

void CommContext::await_notice() {
  bool is_out_of_time = false;
  wait_until([&] { return is_out_of_time || has_failed(); }, [](bool) { return 1U; },
             [&] { is_out_of_time = true; });
  if (!is_out_of_time) throw_if_failed();
}

void CommContext::swap(const void* sent, void* received, int bytes, int peer) {
  Swap run(sent, received, bytes, peer, next_tags());
  complete(run);
  if (run.failure()) std::rethrow_exception(run.failure());
}

void CommContext::barrier_within_limit(NoticeFilter filter) {
  if (!limit_.exists()) return;
  int rank = 0;
  int size = 0;
  check(MPI_Comm_rank(comm(), &rank), "MPI_Comm_rank");
  check(MPI_Comm_size(comm(), &size), "MPI_Comm_size");
  RequestSet<int> arrivals;
  RequestSet<int> notes;
  for (int distance = 1; distance < size; ++distance) {
    const int above = (rank + distance) % size;
    arrivals.receive(above, nullptr, 0, above, barrier_message_tag(), comm());
    notes.send(above, nullptr, 0, above, barrier_message_tag(), comm());
  }
  const auto ignore = [](int, const MPI_Status&) {};
  wait_until([&] { return arrivals.empty() && notes.empty(); },
             [&](bool) {
               const bool any = arrivals.end_some(ignore) || notes.end_some(ignore);
               if (filter == NoticeFilter::all_failures) throw_if_peer_failed();
               require_all_in_time();
               return any ? 0U : 1U;
             },
             [&] {
               throw_timeout(comm(), limit_, {arrivals.under_way(), " before a collective call of MPI"});
             });
}

// A process that has failed does not take part in the reduction, which then never ends.
void CommContext::reduce_to_largest(std::span<double> values) {
  drain();
  // A process that knows of a failure must not take part, or the reduction could end on some processes only.
  throw_if_failed();
  barrier_within_limit();
  std::ranges::copy(values, reduced_->begin());
  MPI_Request request = MPI_REQUEST_NULL;
  // NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker): the loop ends the request.
  check(MPI_Iallreduce(MPI_IN_PLACE, reduced_->data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_MAX,
                       comm(), &request),
        "MPI_Iallreduce");
  unsigned polls = 0;
  const auto is_complete = [&] {
    int is_over = static_cast<int>(request == MPI_REQUEST_NULL);  // SimGrid's MPI_Test does not set it then
    check(MPI_Test(&request, &is_over, MPI_STATUS_IGNORE), "MPI_Test");
    return is_over != 0;
  };
  wait_until(
      is_complete,
      [&](bool) {
        if (++polls > idle_polls_before_probing) throw_if_peer_failed();
        return 1U;
      },
      [&] {
        throw_timeout(comm(), limit_, {{}, " in MPI_Iallreduce"});
      });
  std::copy_n(reduced_->begin(), values.size(), values.begin());
  // NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker)
}

}  // namespace cubefold::mpi
