#include <mpi.h>

#include <memory>
#include <utility>
#include <vector>

#include "alltoall.hpp"
#include "comm_state.hpp"
#include "cubefold/export.h"
#include "interception.hpp"
#include "mpi/processes.hpp"
#include "mpi/typed_blocks.hpp"
#include "next_mpi.hpp"
#include "progress_thread.hpp"

namespace cubefold::preload {

namespace {

using mpi::AlltoallBuffers;

/// Returns copies of the datatypes of an exchange, which the program may free while it is under way, and lets the
/// arguments have them.
template <typename Arguments>
std::shared_ptr<std::vector<mpi::OwnedType>> copy_types(Arguments& arguments) {
  auto copies = std::make_shared<std::vector<mpi::OwnedType>>();
  const auto copy = [&](MPI_Datatype& type) {
    copies->push_back(mpi::OwnedType::duplicate(type));
    type = copies->back().get();
  };
  copy(arguments.receive_type);
  if (arguments.send != MPI_IN_PLACE) copy(arguments.send_type);
  return copies;
}

/// Returns the exchange for a thread.
template <typename Arguments>
BlockingExchange queued(int (*exchange)(const Arguments&, MPI_Comm, CallCount&), Arguments arguments,
                        CallCount& count) {
  const auto types = copy_types(arguments);
  return [exchange, arguments, types, &count](MPI_Comm comm) { return exchange(arguments, comm, count); };
}

bool can_have_thread(MPI_Comm comm) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Query_thread(&provided);
  return provided == MPI_THREAD_MULTIPLE && comm != MPI_COMM_NULL && may_have_state(comm);
}

/// Lets the thread of the communicator make the exchange that make() returns, or calls next() if the user has not asked
/// for threads, if there can be none, or if the arguments are invalid.
template <typename IsValid, typename Make, typename Next>
int start(MPI_Comm comm, CallCount& count, MPI_Request* request, IsValid is_valid, Make make, Next next) {
  if (!may_replace()) return next();
  try {
    if (wants_progress_threads() && can_have_thread(comm) && is_valid() &&
        start_exchange(comm, make(), request)) {
      return MPI_SUCCESS;
    }
  } catch (...) {
    return report_failure(comm, count.function);
  }
  ++count.passed_on;
  return next();
}

int ialltoall(const AlltoallBuffers& b, MPI_Comm comm, MPI_Request* request) {
  CallCount& count = report().ialltoall;
  return start(
      comm, count, request, [&] { return is_valid(b); }, [&] { return queued(alltoall, b, count); },
      [&] {
        return next_mpi().ialltoall(b.send, b.send_count, b.send_type, b.receive, b.receive_count,
                                    b.receive_type, comm, request);
      });
}

int ialltoallv(const AlltoallvArguments& a, MPI_Comm comm, MPI_Request* request) {
  CallCount& count = report().ialltoallv;
  return start(
      comm, count, request, [&] { return is_valid(a, mpi::process_count(comm)); },
      [&] { return queued(alltoallv, a, count); },
      [&] {
        return next_mpi().ialltoallv(a.send, a.send_counts, a.send_displacements, a.send_type, a.receive,
                                     a.receive_counts, a.receive_displacements, a.receive_type, comm,
                                     request);
      });
}

}  // namespace

}  // namespace cubefold::preload

using cubefold::preload::ialltoall;
using cubefold::preload::ialltoallv;

extern "C" {

CUBEFOLD_API int MPI_Ialltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                               int receive_count, MPI_Datatype receive_type, MPI_Comm comm,
                               MPI_Request* request) {
  return ialltoall({send, send_count, send_type, receive, receive_count, receive_type}, comm, request);
}

CUBEFOLD_API int PMPI_Ialltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                int receive_count, MPI_Datatype receive_type, MPI_Comm comm,
                                MPI_Request* request) {
  return ialltoall({send, send_count, send_type, receive, receive_count, receive_type}, comm, request);
}

CUBEFOLD_API int MPI_Ialltoallv(const void* send, const int* send_counts, const int* send_displacements,
                                MPI_Datatype send_type, void* receive, const int* receive_counts,
                                const int* receive_displacements, MPI_Datatype receive_type, MPI_Comm comm,
                                MPI_Request* request) {
  return ialltoallv({send, send_counts, send_displacements, send_type, receive, receive_counts,
                     receive_displacements, receive_type},
                    comm, request);
}

CUBEFOLD_API int PMPI_Ialltoallv(const void* send, const int* send_counts, const int* send_displacements,
                                 MPI_Datatype send_type, void* receive, const int* receive_counts,
                                 const int* receive_displacements, MPI_Datatype receive_type, MPI_Comm comm,
                                 MPI_Request* request) {
  return ialltoallv({send, send_counts, send_displacements, send_type, receive, receive_counts,
                     receive_displacements, receive_type},
                    comm, request);
}
}
