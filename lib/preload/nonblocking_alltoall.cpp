#include <dlfcn.h>
#include <mpi.h>

#include <cstddef>
#include <list>
#include <memory>
#include <type_traits>
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

/// The arguments of an exchange that is under way when the call has returned. The program may free the datatypes then,
/// and programs overwrite the arrays although MPI forbids that, because MPI libraries read them at once.
template <typename Arguments>
class KeptArguments {
 public:
  KeptArguments(const Arguments& arguments, std::size_t process_count) : kept_(arguments) {
    const bool is_in_place = kept_.send == MPI_IN_PLACE;
    copy(kept_.receive_type);
    if (!is_in_place) copy(kept_.send_type);
    if constexpr (std::is_same_v<Arguments, AlltoallvArguments>) {
      for (const int** array : {&kept_.receive_counts, &kept_.receive_displacements})
        copy(*array, process_count);
      if (is_in_place) return;
      for (const int** array : {&kept_.send_counts, &kept_.send_displacements}) copy(*array, process_count);
    }
  }

  const Arguments& get() const { return kept_; }

 private:
  void copy(MPI_Datatype& type) {
    types_.push_back(mpi::OwnedType::duplicate(type));
    type = types_.back().get();
  }

  void copy(const int*& array, std::size_t count) {
    array = arrays_.emplace_back(array, array + count).data();
  }

  Arguments kept_;
  std::vector<mpi::OwnedType> types_;
  std::list<std::vector<int>> arrays_;
};

/// Returns the exchange for a thread, whose calls of MPI are not those of the program.
template <typename Arguments>
BlockingExchange queued(int (*exchange)(const Arguments&, MPI_Comm, Name, CallCount&),
                        const Arguments& arguments, MPI_Comm comm, CallCount& count) {
  const auto kept = std::make_shared<const KeptArguments<Arguments>>(arguments, mpi::process_count(comm));
  return [exchange, kept, &count](MPI_Comm own) { return exchange(kept->get(), own, Name::pmpi, count); };
}

bool is_valid_here(const AlltoallBuffers& buffers, MPI_Comm /*comm*/) {
  return is_valid(buffers);
}

bool is_valid_here(const AlltoallvArguments& arguments, MPI_Comm comm) {
  return is_valid(buffers_of(arguments, mpi::process_count(comm)),
                  static_cast<std::size_t>(mpi::rank_in(comm)));
}

bool can_have_thread(MPI_Comm comm) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Query_thread(&provided);
  return provided == MPI_THREAD_MULTIPLE && comm != MPI_COMM_NULL && may_have_state(comm);
}

/// The program's call: its request, and the count of its function.
struct Call {
  MPI_Comm comm;
  MPI_Request* request;
  CallCount& count;
};

/// Calls hand_over(), which lets the thread of the communicator make the exchange and returns whether there is one.
/// Calls next() if there is none, if the user has not asked for threads, if the arguments are invalid, or if all
/// processes have agreed that one of them can have no thread.
template <typename Arguments, typename HandOver, typename Next>
int to_thread(const Call& call, const Arguments& arguments, HandOver hand_over, Next next) {
  if (!may_replace()) return next();
  try {
    if (wants_progress_threads() && can_have_thread(call.comm) && call.request != nullptr &&
        is_valid_here(arguments, call.comm) && hand_over())
      return MPI_SUCCESS;
  } catch (const mpi::Agreed&) {
    note_reason(mpi::current_failure().text.c_str());
  } catch (...) {
    return report_failure(call.comm, call.count.function);
  }
  ++call.count.passed_on;
  return next();
}

int ialltoall(const AlltoallBuffers& b, MPI_Comm comm, MPI_Request* request, Name name) {
  CallCount& count = report().ialltoall;
  const auto next = [&](const NextMpi& mpi) {
    return mpi.ialltoall(b.send, b.send_count, b.send_type, b.receive, b.receive_count, b.receive_type, comm,
                         request);
  };
  return to_thread(
      {comm, request, count}, b,
      [&] { return start_exchange(comm, queued(alltoall, b, comm, count), request); },
      [&] { return pass_on(name, next); });
}

int ialltoallv(const AlltoallvArguments& a, MPI_Comm comm, MPI_Request* request, Name name) {
  CallCount& count = report().ialltoallv;
  const auto next = [&](const NextMpi& mpi) {
    return mpi.ialltoallv(a.send, a.send_counts, a.send_displacements, a.send_type, a.receive,
                          a.receive_counts, a.receive_displacements, a.receive_type, comm, request);
  };
  return to_thread(
      {comm, request, count}, a,
      [&] { return start_exchange(comm, queued(alltoallv, a, comm, count), request); },
      [&] { return pass_on(name, next); });
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
      {comm, request, count}, b,
      [&] { return make_persistent_exchange(comm, queued(alltoall, b, comm, count), request); },
      [&] {
        return next_init(AlltoallInit{}, "PMPI_Alltoall_init", "PMPIX_Alltoall_init")(
            b.send, b.send_count, b.send_type, b.receive, b.receive_count, b.receive_type, comm, info,
            request);
      });
}

int alltoallv_init(const AlltoallvArguments& a, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  CallCount& count = report().alltoallv_init;
  return to_thread(
      {comm, request, count}, a,
      [&] { return make_persistent_exchange(comm, queued(alltoallv, a, comm, count), request); },
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
using cubefold::preload::Name;

extern "C" {

CUBEFOLD_API int MPI_Ialltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                               int receive_count, MPI_Datatype receive_type, MPI_Comm comm,
                               MPI_Request* request) {
  return ialltoall({send, send_count, send_type, receive, receive_count, receive_type}, comm, request,
                   Name::mpi);
}

CUBEFOLD_API int PMPI_Ialltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                                int receive_count, MPI_Datatype receive_type, MPI_Comm comm,
                                MPI_Request* request) {
  return ialltoall({send, send_count, send_type, receive, receive_count, receive_type}, comm, request,
                   Name::pmpi);
}

CUBEFOLD_API int MPI_Ialltoallv(const void* send, const int* send_counts, const int* send_displacements,
                                MPI_Datatype send_type, void* receive, const int* receive_counts,
                                const int* receive_displacements, MPI_Datatype receive_type, MPI_Comm comm,
                                MPI_Request* request) {
  return ialltoallv({send, send_counts, send_displacements, send_type, receive, receive_counts,
                     receive_displacements, receive_type},
                    comm, request, Name::mpi);
}

CUBEFOLD_API int PMPI_Ialltoallv(const void* send, const int* send_counts, const int* send_displacements,
                                 MPI_Datatype send_type, void* receive, const int* receive_counts,
                                 const int* receive_displacements, MPI_Datatype receive_type, MPI_Comm comm,
                                 MPI_Request* request) {
  return ialltoallv({send, send_counts, send_displacements, send_type, receive, receive_counts,
                     receive_displacements, receive_type},
                    comm, request, Name::pmpi);
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
