#pragma once

#include <atomic>
#include <functional>
#include <thread>

namespace cubefold::mpi {

/// Numbers of calls of MPI that this process has made, in the library and outside of it. Programs that link
/// replaced_communicators.cpp count what concerns communicators; those that link replaced_mpi.cpp count all.
struct CountedCalls {
  std::atomic<int> communicators_made = 0;  ///< by MPI_Comm_dup, _split, _split_type and MPI_Cart_create
  std::atomic<int> communicators_freed = 0;
  std::atomic<int> types_freed = 0;
  std::atomic<int> messages = 0;  ///< sent by MPI_Isend, without empty ones
  std::atomic<int> polls = 0;     ///< by MPI_Testsome

  void reset() {
    for (std::atomic<int>* each :
         {&communicators_made, &communicators_freed, &types_freed, &messages, &polls})
      *each = 0;
  }
};

inline CountedCalls& counted_calls() {
  static CountedCalls counted;
  return counted;
}

/// Is called by MPI_Isend with the data of the message, unless it is empty.
inline std::function<void(const void* data)> sees_message;

/// The number of the next polls by MPI_Testsome that find nothing, whatever has arrived.
inline std::atomic<int> empty_polls = 0;

/// The number of the next calls of MPI_Comm_split that make no communicator on this process, as if MPI had none left.
inline std::atomic<int> failing_splits = 0;

/// The number of calls of MPI_Comm_split by other threads than the one that started the program.
inline std::atomic<int> splits_by_other_threads = 0;
inline const std::thread::id first_thread = std::this_thread::get_id();

}  // namespace cubefold::mpi
