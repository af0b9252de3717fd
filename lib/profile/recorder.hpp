#pragma once

#include <mpi.h>

#include <cstddef>
#include <map>
#include <mutex>
#include <span>
#include <string>

#include "sent_messages.hpp"

namespace cubefold::profile {

/// Takes notes of the messages that a program sends. Each kind of call on each kind of communicator is a phase, such as
/// `MPI_Alltoall among 4 of 16 ranks, stride 4`; communicators of as many ranks with the same stride share it, because
/// they are the rows, or the columns, of one grid. Messages on inter-communicators do not count. Threads may call this
/// at the same time. No call communicates. Costs O(log phases) and O(log ranks) for each message.
class Recorder {
 public:
  /// Returns the recorder of this process.
  static Recorder& here();

  /// Notes a message of point-to-point communication.
  void message(MPI_Comm comm, int to, int count, MPI_Datatype type);

  /// Notes a persistent request whose every start sends a message, and its starts and its end.
  void prepared(MPI_Request request, MPI_Comm comm, int to, int count, MPI_Datatype type);
  void started(std::span<const MPI_Request> requests);
  void ended(MPI_Request request);

  /// Notes a message to every other rank of the communicator.
  void to_all(const char* function, MPI_Comm comm, int count, MPI_Datatype type);

  /// Notes a message to every other rank to which there is anything to send. The arrays have an element for each rank
  /// of the communicator.
  void to_each(const char* function, MPI_Comm comm, const int* counts, MPI_Datatype type);
  void to_each(const char* function, MPI_Comm comm, const int* counts, const MPI_Datatype* types);

  /// Notes a message to every neighbour in the topology of the communicator, of one size or of a size for each.
  void to_neighbours(const char* function, MPI_Comm comm, int count, MPI_Datatype type);
  void to_neighbours(const char* function, MPI_Comm comm, const int* counts, MPI_Datatype type);

  /// Notes the messages of recursive doubling, as doubling_receivers() names them.
  void by_doubling(const char* function, MPI_Comm comm, int count, MPI_Datatype type);

  /// Ends all notes, and returns them.
  SentMessages finish();

 private:
  struct Prepared {
    std::size_t phase;
    int to;
    Sent sent;
  };

  /// Calls note(ranks, number of the phase) under the lock, if calls on the communicator count.
  template <typename Note>
  void with_phase(const char* function, MPI_Comm comm, Note note);

  /// Calls send(ranks, add), where add(to, count, type) notes a message.
  template <typename Send>
  void with_sends(const char* function, MPI_Comm comm, Send send);

  std::mutex mutex_;
  bool is_over_ = false;
  SentMessages sent_;
  std::map<MPI_Request, Prepared> prepared_;
};

}  // namespace cubefold::profile
