#include "shared_memory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <new>
#include <system_error>
#include <thread>

#include "cubefold/mpi/error.hpp"
#include "processes.hpp"

namespace cubefold::mpi {

namespace {

using ObjectName = std::array<char, 48>;

/// An open shared memory object.
class MemoryObject {
 public:
  MemoryObject(const ObjectName& name, int flags)
      : descriptor_(shm_open(name.data(), flags, S_IRUSR | S_IWUSR)) {}
  MemoryObject(const MemoryObject&) = delete;
  MemoryObject& operator=(const MemoryObject&) = delete;
  ~MemoryObject() {
    if (is_open()) close(descriptor_);
  }

  bool is_open() const { return descriptor_ >= 0; }

  /// Grows the object, and returns whether the host has as much memory for such objects. Pages are taken when they are
  /// used, since most exchanges do not need all of them.
  bool can_grow_to(std::size_t bytes) const {
    struct statvfs space {};
    if (fstatvfs(descriptor_, &space) != 0) return false;
    return space.f_bavail * space.f_frsize >= bytes && ftruncate(descriptor_, static_cast<off_t>(bytes)) == 0;
  }

  /// Returns the mapped memory, or an empty span if it cannot be mapped.
  std::span<std::byte> mapped(std::size_t bytes) const {
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
    if (memory == MAP_FAILED) return {};
    return {static_cast<std::byte*>(memory), bytes};
  }

 private:
  int descriptor_;
};

/// Makes an object with a new name, which the caller has to unlink. Returns its memory, or an empty span and an empty
/// name if there is none. Takes no memory of this process, so that it does not throw while others wait.
std::span<std::byte> make_object(ObjectName& name, std::size_t bytes) {
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  *fmt::format_to_n(name.data(), name.size() - 1, "/cubefold-{}-{}", getpid(), now).out = '\0';
  const MemoryObject object(name, O_CREAT | O_EXCL | O_RDWR);
  std::span<std::byte> memory;
  if (object.is_open() && object.can_grow_to(bytes)) memory = object.mapped(bytes);
  if (!memory.empty()) return memory;
  if (object.is_open()) shm_unlink(name.data());
  name = {};
  return {};
}

std::span<std::byte> map_object(const ObjectName& name, std::size_t bytes) {
  const MemoryObject object(name, O_RDWR);
  return object.is_open() ? object.mapped(bytes) : std::span<std::byte>();
}

}  // namespace

// The object has a name only until all processes have opened it, so that nothing is left of a job that is killed later.
SharedMemory::SharedMemory(MPI_Comm comm, std::size_t bytes) {
  const bool is_first = rank_in(comm) == 0;
  ObjectName name{};
  if (is_first) bytes_ = make_object(name, bytes);
  const int told = MPI_Bcast(name.data(), static_cast<int>(name.size()), MPI_CHAR, 0, comm);
  if (!is_first && name.front() != '\0') bytes_ = map_object(name, bytes);
  const int opened = MPI_Barrier(comm);
  if (is_first && name.front() != '\0') shm_unlink(name.data());
  check(told, "MPI_Bcast");
  check(opened, "MPI_Barrier");
  if (bytes_.empty()) throw std::bad_alloc();
}

SharedMemory::~SharedMemory() {
  if (!bytes_.empty()) munmap(bytes_.data(), bytes_.size());
}

namespace {

constexpr std::size_t line_bytes = longest_line_bytes;
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
/// core, that is sooner than the kernel wakes a process. Without time to look, yields the core some times.
bool is_raised_soon(sem_t& semaphore, std::chrono::microseconds longest_look) {
  constexpr int most_yields = 16;
  const auto end = std::chrono::steady_clock::now() + longest_look;
  while (std::chrono::steady_clock::now() < end)
    if (sem_trywait(&semaphore) == 0) return true;
  for (int i = 0; longest_look.count() == 0 && i < most_yields; ++i) {
    if (sem_trywait(&semaphore) == 0) return true;
    std::this_thread::yield();
  }
  return false;
}

}  // namespace

std::size_t NodeBarrier::bytes(std::size_t process_count) {
  return line_bytes + (process_count * sizeof(sem_t) + line_bytes - 1) / line_bytes * line_bytes;
}

NodeBarrier::NodeBarrier(std::span<std::byte> memory, std::size_t process_count, std::size_t process,
                         std::chrono::microseconds longest_look)
    : process_(process), longest_look_(longest_look) {
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

void NodeBarrier::wait(const std::function<void()>& look) {
  constexpr std::chrono::milliseconds longest_sleep(64);
  expected_arrivals_ += static_cast<std::uint32_t>(semaphores_.size());
  sem_t& own = semaphores_[process_];
  if (arrivals_->fetch_add(1) + 1 == expected_arrivals_) {
    for (sem_t& semaphore : semaphores_)
      if (&semaphore != &own) sem_post(&semaphore);
    return;
  }
  if (is_raised_soon(own, longest_look_)) return;
  for (std::chrono::milliseconds sleep(1); !is_raised_within(own, sleep);
       sleep = std::min(2 * sleep, longest_sleep))
    look();
}

}  // namespace cubefold::mpi
