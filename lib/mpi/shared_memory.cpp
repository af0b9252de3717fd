#include "shared_memory.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <exception>
#include <new>
#include <system_error>

#include "processes.hpp"

namespace cubefold::mpi {

SharedMemory::SharedMemory(MPI_Comm comm, std::size_t bytes) : size_(bytes) {
  void* own = nullptr;
  const auto own_bytes = static_cast<MPI_Aint>(rank_in(comm) == 0 ? bytes : 0);
  if (MPI_Win_allocate_shared(own_bytes, 1, MPI_INFO_NULL, comm, &own, &window_) != MPI_SUCCESS) {
    window_ = MPI_WIN_NULL;
    throw std::bad_alloc();
  }
}

void SharedMemory::open() {
  check(MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
  check(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_), "MPI_Win_lock_all");
  is_locked_ = true;
  MPI_Aint size = 0;
  int unit = 0;
  void* first = nullptr;
  check(MPI_Win_shared_query(window_, 0, &size, &unit, static_cast<void*>(&first)), "MPI_Win_shared_query");
  if (first == nullptr) throw std::bad_alloc();  // MPICH has made a window of processes that share no memory
  bytes_ = {static_cast<std::byte*>(first), size_};
}

SharedMemory::~SharedMemory() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (window_ == MPI_WIN_NULL || finalized != 0 || std::uncaught_exceptions() > 0) return;
  if (is_locked_) MPI_Win_unlock_all(window_);
  MPI_Win_free(&window_);
}

namespace {

constexpr std::size_t line_bytes = 256;  // a cache line of the A64FX; others have 64 or 128
static_assert(sizeof(std::atomic<std::uint32_t>) <= line_bytes && alignof(sem_t) <= line_bytes);

/// Returns whether the semaphore was raised before the time was over.
bool is_raised_within(sem_t& semaphore, std::chrono::nanoseconds time) {
  timespec end{};
  clock_gettime(CLOCK_REALTIME, &end);  // the clock of sem_timedwait
  const auto nanoseconds = end.tv_nsec + time.count();
  end.tv_sec += nanoseconds / 1'000'000'000;
  end.tv_nsec = nanoseconds % 1'000'000'000;
  while (sem_timedwait(&semaphore, &end) != 0) {
    if (errno == ETIMEDOUT) return false;
    if (errno != EINTR) throw std::system_error(errno, std::generic_category(), "sem_timedwait");
  }
  return true;
}

/// Returns whether the semaphore was raised while this process looked at it without sleeping. Where every process has a
/// core, that is sooner than the kernel wakes a process.
bool is_raised_soon(sem_t& semaphore) {
  constexpr auto longest_look = std::chrono::microseconds(20);
  const auto end = std::chrono::steady_clock::now() + longest_look;
  while (std::chrono::steady_clock::now() < end)
    if (sem_trywait(&semaphore) == 0) return true;
  return false;
}

}  // namespace

std::size_t MeetingPlace::bytes(std::size_t process_count) {
  return line_bytes + (process_count * sizeof(sem_t) + line_bytes - 1) / line_bytes * line_bytes;
}

MeetingPlace::MeetingPlace(std::span<std::byte> memory, std::size_t process_count, std::size_t process)
    : process_(process) {
  std::byte* const begin = memory.data();
  auto* const semaphores = reinterpret_cast<sem_t*>(begin + line_bytes);
  semaphores_ = {semaphores, process_count};
  if (process != 0) {
    arrivals_ = std::launder(reinterpret_cast<Arrivals*>(begin));
    return;
  }
  arrivals_ = new (begin) Arrivals(0);
  for (sem_t& semaphore : semaphores_)
    if (sem_init(&semaphore, 1, 0) != 0) throw std::system_error(errno, std::generic_category(), "sem_init");
}

void MeetingPlace::come(const std::function<void()>& look) {
  constexpr std::chrono::milliseconds longest_sleep(64);
  expected_arrivals_ += static_cast<std::uint32_t>(semaphores_.size());
  sem_t& own = semaphores_[process_];
  if (arrivals_->fetch_add(1) + 1 == expected_arrivals_) {
    for (sem_t& semaphore : semaphores_)
      if (&semaphore != &own) sem_post(&semaphore);
    return;
  }
  if (is_raised_soon(own)) return;
  for (std::chrono::milliseconds sleep(1); !is_raised_within(own, sleep);
       sleep = std::min(2 * sleep, longest_sleep))
    look();
}

}  // namespace cubefold::mpi
