#include <mpi.h>

#include <memory>
#include <utility>

#include "alltoall.hpp"
#include "comm_state.hpp"
#include "cubefold/export.h"
#include "cubefold/mpi/error.hpp"
#include "interception.hpp"
#include "next_mpi.hpp"
#include "progress_thread.hpp"

namespace cubefold::preload {

namespace {

using mpi::AlltoallBuffers;

/// A copy of a datatype, which the program may free while an exchange is under way.
class TypeCopy {
 public:
  explicit TypeCopy(MPI_Datatype type) { mpi::check(MPI_Type_dup(type, &copy_), "MPI_Type_dup"); }
  TypeCopy(const TypeCopy&) = delete;
  TypeCopy& operator=(const TypeCopy&) = delete;
  ~TypeCopy() { MPI_Type_free(&copy_); }

  MPI_Datatype get() const { return copy_; }

 private:
  MPI_Datatype copy_ = MPI_DATATYPE_NULL;
};

/// Returns arguments with copies of their datatypes, which the returned owners free.
template <typename Arguments>
auto with_copied_types(Arguments& arguments) {
  auto receive_type = std::make_shared<const TypeCopy>(arguments.receive_type);
  arguments.receive_type = receive_type->get();
  std::shared_ptr<const TypeCopy> send_type;
  if (arguments.send != MPI_IN_PLACE) {
    send_type = std::make_shared<const TypeCopy>(arguments.send_type);
    arguments.send_type = send_type->get();
  }
  return std::pair(std::move(send_type), std::move(receive_type));
}

bool can_have_thread(MPI_Comm comm) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Query_thread(&provided);
  return provided == MPI_THREAD_MULTIPLE && comm != MPI_COMM_NULL && may_have_state(comm);
}

bool is_valid_on(const AlltoallBuffers& buffers, MPI_Comm /*comm*/) {
  return is_valid(buffers);
}

bool is_valid_on(const AlltoallvArguments& arguments, MPI_Comm comm) {
  int size = 0;
  mpi::check(MPI_Comm_size(comm, &size), "MPI_Comm_size");
  return is_valid(arguments, static_cast<std::size_t>(size));
}

/// Lets the thread of the communicator make an exchange if the program has asked for that. Passes other calls on.
template <typename Arguments, typename Next>
int start(int (*exchange)(const Arguments&, MPI_Comm, CallCount&), Arguments arguments, MPI_Comm comm,
          MPI_Request* request, const char* function, CallCount& count, Next next) {
  if (!may_replace() || !wants_progress_threads()) {
    count.passed_on += may_replace() ? 1 : 0;
    return next();
  }
  try {
    if (can_have_thread(comm) && is_valid_on(arguments, comm)) {
      const auto types = with_copied_types(arguments);
      const auto run = [exchange, arguments, types, &count](MPI_Comm own) {
        return exchange(arguments, own, count);
      };
      start_exchange(comm, run, request);
      return MPI_SUCCESS;
    }
  } catch (...) {
    return report_failure(comm, function);
  }
  ++count.passed_on;
  return next();
}

int ialltoall(const AlltoallBuffers& b, MPI_Comm comm, MPI_Request* request) {
  return start(alltoall, b, comm, request, "MPI_Ialltoall", report().ialltoall, [&] {
    return next_mpi().ialltoall(b.send, b.send_count, b.send_type, b.receive, b.receive_count, b.receive_type,
                                comm, request);
  });
}

int ialltoallv(const AlltoallvArguments& a, MPI_Comm comm, MPI_Request* request) {
  return start(alltoallv, a, comm, request, "MPI_Ialltoallv", report().ialltoallv, [&] {
    return next_mpi().ialltoallv(a.send, a.send_counts, a.send_displacements, a.send_type, a.receive,
                                 a.receive_counts, a.receive_displacements, a.receive_type, comm, request);
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
