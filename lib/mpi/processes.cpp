#include "processes.hpp"

#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <thread>

#include "agreement.hpp"
#include "cubefold/mpi/error.hpp"

namespace cubefold::mpi {

int rank_in(MPI_Comm comm) {
  int rank = 0;
  check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  return rank;
}

std::size_t process_count(MPI_Comm comm) {
  int size = 0;
  check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
  return static_cast<std::size_t>(size);
}

namespace {

std::atomic<MPI_Comm>& known_job_comm() {
  static std::atomic<MPI_Comm> comm = MPI_COMM_WORLD;
  return comm;
}

}  // namespace

MPI_Comm job_comm() {
  return known_job_comm();
}

void set_job_comm(MPI_Comm comm) {
  known_job_comm() = comm;
}

std::vector<int> ranks_in_job(MPI_Comm comm, std::span<const int> ranks) {
  std::vector<int> translated(ranks.size(), MPI_UNDEFINED);
  const MPI_Comm all = job_comm();
  if (all == MPI_COMM_NULL) return translated;
  MPI_Group own = MPI_GROUP_NULL;
  MPI_Group job = MPI_GROUP_NULL;
  check(MPI_Comm_group(comm, &own), "MPI_Comm_group");
  check(MPI_Comm_group(all, &job), "MPI_Comm_group");
  check(MPI_Group_translate_ranks(own, static_cast<int>(ranks.size()), ranks.data(), job, translated.data()),
        "MPI_Group_translate_ranks");
  MPI_Group_free(&own);
  MPI_Group_free(&job);
  return translated;
}

namespace {

/// Returns a communicator of this process alone. A program that only has sessions of MPI has no MPI_COMM_SELF.
OwnedComm comm_of_one_process() {
  const MPI_Comm job = job_comm();
  if (job == MPI_COMM_WORLD) return OwnedComm::duplicate(MPI_COMM_SELF);
  const int rank = rank_in(job);
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group one = MPI_GROUP_NULL;
  MPI_Comm made = MPI_COMM_NULL;
  check(MPI_Comm_group(job, &all), "MPI_Comm_group");
  check(MPI_Group_incl(all, 1, &rank, &one), "MPI_Group_incl");
  check(MPI_Comm_create_group(job, one, 0, &made), "MPI_Comm_create_group");
  MPI_Group_free(&one);
  MPI_Group_free(&all);
  return OwnedComm::adopt(made);
}

/// The communicator of checking_comm(), which later calls find without the lock.
struct CheckingComm {
  std::atomic<MPI_Comm> made = MPI_COMM_NULL;
  std::mutex mutex;
  OwnedComm comm;
};

CheckingComm& the_checking_comm() {
  static CheckingComm one;
  return one;
}

}  // namespace

MPI_Comm checking_comm() {
  CheckingComm& one = the_checking_comm();
  if (const MPI_Comm made = one.made; made != MPI_COMM_NULL) return made;
  const std::lock_guard lock(one.mutex);
  if (one.comm.get() == MPI_COMM_NULL) one.comm = comm_of_one_process();
  one.made = one.comm.get();
  return one.made;
}

void free_checking_comm() {
  CheckingComm& one = the_checking_comm();
  const std::lock_guard lock(one.mutex);
  one.made = MPI_COMM_NULL;
  one.comm = OwnedComm();
}

std::string host_name() {
  std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
  int length = 0;
  check(MPI_Get_processor_name(name.data(), &length), "MPI_Get_processor_name");
  return {name.data(), static_cast<std::size_t>(length)};
}

namespace {

/// Collective: splits a communicator, or returns a failure. The other processes split it in any case, so a process that
/// fails before does that too.
OwnedComm split_or_fail(MPI_Comm comm, int color, int key, std::optional<Failure>& failure) {
  MPI_Errhandler callers = MPI_ERRHANDLER_NULL;
  const auto not_changed = failure_of([&] {
    check(MPI_Comm_get_errhandler(comm, &callers), "MPI_Comm_get_errhandler");
    // SimGrid's MPI returns a null handler if none has been set.
    if (callers == MPI_ERRHANDLER_NULL) callers = MPI_ERRORS_ARE_FATAL;
    check(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  });
  MPI_Comm copy = MPI_COMM_NULL;
  const int copied = MPI_Comm_split(comm, color, key, &copy);
  const auto not_restored = failure_of([&] {
    if (callers == MPI_ERRHANDLER_NULL) return;
    check(MPI_Comm_set_errhandler(comm, callers), "MPI_Comm_set_errhandler");
    check(MPI_Errhandler_free(&callers), "MPI_Errhandler_free");
  });
  OwnedComm own;
  const auto not_made = failure_of([&] {
    check(copied, "MPI_Comm_split");
    if (copy != MPI_COMM_NULL) own = OwnedComm::adopt(copy);
  });
  for (const auto* each : {&not_changed, &not_made, &not_restored})
    if (!failure) failure = *each;
  return own;
}

/// Waits until all processes are here. A process with a failure throws it if they do not come.
void await_all(MPI_Comm comm, const std::optional<Failure>& failure) {
  constexpr double longest_wait_seconds = 5;
  // NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker): after the exception MPI still uses the request.
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Ibarrier(comm, &request), "MPI_Ibarrier");
  if (!failure) return check(MPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
  const double end = MPI_Wtime() + longest_wait_seconds;
  for (int is_over = 0; is_over == 0; std::this_thread::yield()) {
    check(MPI_Test(&request, &is_over, MPI_STATUS_IGNORE), "MPI_Test");
    if (is_over == 0 && MPI_Wtime() > end) throw Error(failure->status, failure->text);
  }
  // NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker)
}

}  // namespace

OwnedComm own_duplicate(MPI_Comm comm) {
  std::optional<Failure> failure;
  OwnedComm own = split_or_fail(comm, 0, 0, failure);
  if (own.get() == MPI_COMM_NULL) throw Error(failure->status, failure->text);
  agree(own.get(), failure);
  return own;
}

OwnedComm agreed_split(MPI_Comm comm, int color, int key) {
  std::optional<Failure> failure;
  OwnedComm own = split_or_fail(comm, color, key, failure);
  await_all(comm, failure);
  agree(comm, failure);
  return own;
}

OwnedComm comm_on_host(MPI_Comm comm) {
  MPI_Comm part = MPI_COMM_NULL;
  check(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank_in(comm), MPI_INFO_NULL, &part),
        "MPI_Comm_split_type");
  return OwnedComm::adopt(part);
}

std::size_t host_count(MPI_Comm comm) {
  int count = rank_in(comm_on_host(comm).get()) == 0 ? 1 : 0;
  check(MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT, MPI_SUM, comm), "MPI_Allreduce");
  return static_cast<std::size_t>(count);
}

OwnHost own_host(MPI_Comm comm) {
  const OwnedComm on_this_host = comm_on_host(comm);
  int firsts = rank_in(on_this_host.get()) == 0 ? 1 : 0;
  int number = 0;
  int count = 0;
  check(MPI_Exscan(&firsts, &number, 1, MPI_INT, MPI_SUM, comm), "MPI_Exscan");
  if (rank_in(comm) == 0) number = 0;
  check(MPI_Bcast(&number, 1, MPI_INT, 0, on_this_host.get()), "MPI_Bcast");
  check(MPI_Allreduce(&firsts, &count, 1, MPI_INT, MPI_SUM, comm), "MPI_Allreduce");
  return {static_cast<std::uint32_t>(number), static_cast<std::size_t>(count),
          process_count(on_this_host.get())};
}

}  // namespace cubefold::mpi
