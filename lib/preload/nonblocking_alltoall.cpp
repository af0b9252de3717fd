#include <dlfcn.h>
#include <mpi.h>

#include <memory>
#include <utility>
#include <vector>

#include "alltoall.hpp"
#include "comm_state.hpp"
#include "cubefold/export.h"
#include "exchange_requests.hpp"
#include "interception.hpp"
#include "mpi/agreement.hpp"
#include "mpi/processes.hpp"
#include "mpi/typed_blocks.hpp"
#include "next_function.hpp"
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

/// Calls hand_over(), which lets the thread of the communicator make the exchange and returns whether there is one.
/// Calls next() if there is none, if the user has not asked for threads, if the arguments are invalid, or if all
/// processes have agreed that one of them can have no thread.
template <typename IsValid, typename HandOver, typename Next>
int to_thread(MPI_Comm comm, CallCount& count, IsValid is_valid, HandOver hand_over, Next next) {
  if (!may_replace()) return next();
  try {
    if (wants_progress_threads() && can_have_thread(comm) && is_valid() && hand_over()) return MPI_SUCCESS;
  } catch (const mpi::Agreed&) {
    note_reason(mpi::current_failure().text.c_str());
  } catch (...) {
    return report_failure(comm, count.function);
  }
  ++count.passed_on;
  return next();
}

int ialltoall(const AlltoallBuffers& b, MPI_Comm comm, MPI_Request* request) {
  CallCount& count = report().ialltoall;
  return to_thread(
      comm, count, [&] { return is_valid(b); },
      [&] { return start_exchange(comm, queued(alltoall, b, count), request); },
      [&] {
        return next_mpi().ialltoall(b.send, b.send_count, b.send_type, b.receive, b.receive_count,
                                    b.receive_type, comm, request);
      });
}

int ialltoallv(const AlltoallvArguments& a, MPI_Comm comm, MPI_Request* request) {
  CallCount& count = report().ialltoallv;
  return to_thread(
      comm, count, [&] { return is_valid(a, mpi::process_count(comm)); },
      [&] { return start_exchange(comm, queued(alltoallv, a, count), request); },
      [&] {
        return next_mpi().ialltoallv(a.send, a.send_counts, a.send_displacements, a.send_type, a.receive,
                                     a.receive_counts, a.receive_displacements, a.receive_type, comm,
                                     request);
      });
}

// MPI 3.1 has no persistent collectives, so its header does not declare these. Open MPI 4 has them as MPIX_*.
using AlltoallInit = int (*)(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm, MPI_Info,
                             MPI_Request*);
using AlltoallvInit = int (*)(const void*, const int*, const int*, MPI_Datatype, void*, const int*,
                              const int*, MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request*);

template <typename Function>
Function next_init(Function like, const char* name, const char* name_in_open_mpi_4) {
  return next_function(like, dlsym(RTLD_NEXT, name) != nullptr ? name : name_in_open_mpi_4);
}

int alltoall_init(const AlltoallBuffers& b, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  CallCount& count = report().alltoall_init;
  return to_thread(
      comm, count, [&] { return is_valid(b); },
      [&] { return make_persistent_exchange(comm, queued(alltoall, b, count), request); },
      [&] {
        return next_init(AlltoallInit{}, "PMPI_Alltoall_init", "PMPIX_Alltoall_init")(
            b.send, b.send_count, b.send_type, b.receive, b.receive_count, b.receive_type, comm, info,
            request);
      });
}

int alltoallv_init(const AlltoallvArguments& a, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  CallCount& count = report().alltoallv_init;
  return to_thread(
      comm, count, [&] { return is_valid(a, mpi::process_count(comm)); },
      [&] { return make_persistent_exchange(comm, queued(alltoallv, a, count), request); },
      [&] {
        return next_init(AlltoallvInit{}, "PMPI_Alltoallv_init", "PMPIX_Alltoallv_init")(
            a.send, a.send_counts, a.send_displacements, a.send_type, a.receive, a.receive_counts,
            a.receive_displacements, a.receive_type, comm, info, request);
      });
}

}  // namespace

}  // namespace cubefold::preload

using cubefold::preload::alltoall_init;
using cubefold::preload::alltoallv_init;
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

// Programs of Open MPI 4 call the names with an X. All names of an exchange stand for one function.
CUBEFOLD_API int MPI_Alltoall_init(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                   int receive_count, MPI_Datatype receive_type, MPI_Comm comm, MPI_Info info,
                                   MPI_Request* request) {
  return alltoall_init({send, send_count, send_type, receive, receive_count, receive_type}, comm, info,
                       request);
}

CUBEFOLD_API decltype(MPI_Alltoall_init) PMPI_Alltoall_init __attribute__((alias("MPI_Alltoall_init")));
CUBEFOLD_API decltype(MPI_Alltoall_init) MPIX_Alltoall_init __attribute__((alias("MPI_Alltoall_init")));
CUBEFOLD_API decltype(MPI_Alltoall_init) PMPIX_Alltoall_init __attribute__((alias("MPI_Alltoall_init")));

CUBEFOLD_API int MPI_Alltoallv_init(const void* send, const int* send_counts, const int* send_displacements,
                                    MPI_Datatype send_type, void* receive, const int* receive_counts,
                                    const int* receive_displacements, MPI_Datatype receive_type,
                                    MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return alltoallv_init({send, send_counts, send_displacements, send_type, receive, receive_counts,
                         receive_displacements, receive_type},
                        comm, info, request);
}

CUBEFOLD_API decltype(MPI_Alltoallv_init) PMPI_Alltoallv_init __attribute__((alias("MPI_Alltoallv_init")));
CUBEFOLD_API decltype(MPI_Alltoallv_init) MPIX_Alltoallv_init __attribute__((alias("MPI_Alltoallv_init")));
CUBEFOLD_API decltype(MPI_Alltoallv_init) PMPIX_Alltoallv_init __attribute__((alias("MPI_Alltoallv_init")));
}
