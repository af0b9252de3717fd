#include <dlfcn.h>
#include <mpi.h>

#include <array>
#include <cstddef>
#include <list>
#include <memory>
#include <span>
#include <vector>

#include "alltoall.hpp"
#include "alltoall_arguments.hpp"
#include "comm_state.hpp"
#include "cubefold/export.h"
#include "exchange_requests.hpp"
#include "interception.hpp"
#include "mpi/agreement.hpp"
#include "mpi/processes.hpp"
#include "next_function.hpp"
#include "next_mpi.hpp"
#include "progress_thread.hpp"

namespace cubefold::preload {

namespace {

using mpi::Blocks;
using mpi::Sides;

/// The arguments of an exchange that is under way when the call has returned. The program may free the datatypes then,
/// and programs overwrite the arrays although MPI forbids that, because MPI libraries read them at once.
class KeptSides {
 public:
  explicit KeptSides(const Sides& sides) : sides_(sides) {
    sides_.received = kept(sides.received);
    if (!sides.sent.are_in_place()) sides_.sent = kept(sides.sent);
  }

  const Sides& get() const { return sides_; }

 private:
  Blocks kept(const Blocks& blocks) {
    const bool is_typed = blocks.form() == mpi::BlockForm::typed;
    Blocks copy = blocks;
    copy.use_copies(is_typed ? MPI_DATATYPE_NULL : kept(blocks.type()), kept(blocks.counts()),
                    kept(blocks.displacements()), is_typed ? kept_types(blocks) : blocks.types());
    return copy;
  }

  MPI_Datatype kept(MPI_Datatype type) {
    types_.push_back(mpi::OwnedType::duplicate(type));
    return types_.back().get();
  }

  /// Keeps the types of the blocks that have elements. The others stay as they are, since nobody looks at them.
  std::span<const MPI_Datatype> kept_types(const Blocks& blocks) {
    auto& array = type_arrays_.emplace_back(blocks.types().begin(), blocks.types().end());
    for (std::size_t block = 0; block < array.size(); ++block)
      if (blocks.counts()[block] > 0) array[block] = kept(array[block]);
    return array;
  }

  mpi::Integers kept(const mpi::Integers& array) { return arrays_.emplace_back().set(array); }

  Sides sides_;
  std::vector<mpi::OwnedType> types_;
  std::list<mpi::IntegerCopy> arrays_;
  std::list<std::vector<MPI_Datatype>> type_arrays_;
};

/// Returns the exchange for a thread, whose calls of MPI are not those of the program.
BlockingExchange queued(const Sides& sides, CallCount& count) {
  const auto kept = std::make_shared<const KeptSides>(sides);
  return [kept, &count](MPI_Comm own) { return alltoall(kept->get(), own, Name::pmpi, count); };
}

/// The program's call: its request, and the count of its function.
struct Call {
  MPI_Comm comm;
  MPI_Request* request;
  CallCount& count;
};

/// Calls hand_over(exchange), which lets the thread of the communicator make the exchange and returns whether there is
/// one. Calls next() if there is none, if the user has not asked for threads, if the arguments are invalid, or if all
/// processes have agreed that one of them can have no thread.
template <typename HandOver, typename Next>
int to_thread(const Call& call, Sides sides, HandOver hand_over, Next next) {
  if (!may_replace()) return next();
  try {
    if (wants_progress_threads() && call.comm != MPI_COMM_NULL && call.request != nullptr &&
        state_of(call.comm) != nullptr &&
        is_valid(sides, mpi::process_count(call.comm), static_cast<std::size_t>(mpi::rank_in(call.comm))) &&
        hand_over(call.comm, queued(sides, call.count), call.request))
      return MPI_SUCCESS;
  } catch (const mpi::Agreed&) {
    note_reason(mpi::current_failure().text.c_str());
  } catch (...) {
    return report_failure(call.comm, call.count.function);
  }
  ++call.count.passed_on;
  return next();
}

/// Returns the communicator whose size matters, or none if no thread will make the exchange.
MPI_Comm comm_of_threads(MPI_Comm comm) {
  return wants_progress_threads() ? comm : MPI_COMM_NULL;
}

/// Returns the count of the function that takes such arguments, in the order of their forms.
CallCount& count_of(const Sides& sides, const std::array<CallCount*, 3>& counts) {
  return *counts.at(static_cast<std::size_t>(sides.form()));
}

/// Counts a call by its form and by the type of its counts.
CallCount& count_of_nonblocking(const Sides& sides) {
#if MPI_VERSION >= 4
  if (sides.have_large_counts())
    return count_of(sides, {&report().Ialltoall_c, &report().Ialltoallv_c, &report().Ialltoallw_c});
#endif
  return count_of(sides, {&report().Ialltoall, &report().Ialltoallv, &report().Ialltoallw});
}

int ialltoall(const Sides& sides, MPI_Comm comm, MPI_Request* request, Name name) {
  const auto next = [&](const NextMpi& mpi) {
#if MPI_VERSION >= 4
    if (sides.have_large_counts())
      return sides.pass_to<MPI_Count, MPI_Aint>(mpi.Ialltoall_c, mpi.Ialltoallv_c, mpi.Ialltoallw_c, comm,
                                                request);
#endif
    return sides.pass_to(mpi.Ialltoall, mpi.Ialltoallv, mpi.Ialltoallw, comm, request);
  };
  return to_thread({comm, request, count_of_nonblocking(sides)}, sides, start_exchange,
                   [&] { return pass_on(name, next); });
}

// MPI 3.1 has no persistent collectives, so its header does not declare these. Open MPI 4 has them as MPIX_*.
using AlltoallInit = int (*)(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm, MPI_Info,
                             MPI_Request*);
using AlltoallvInit = int (*)(const void*, const int*, const int*, MPI_Datatype, void*, const int*,
                              const int*, MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request*);
using AlltoallwInit = int (*)(const void*, const int*, const int*, const MPI_Datatype*, void*, const int*,
                              const int*, const MPI_Datatype*, MPI_Comm, MPI_Info, MPI_Request*);

template <typename Function>
Function next_init(Function like, const char* name, const char* name_in_open_mpi_4) {
  return next_function(like, dlsym(RTLD_NEXT, name) != nullptr ? name : name_in_open_mpi_4);
}

int alltoall_init(const Sides& sides, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  const auto equal = [](auto... arguments) {
    return next_init(AlltoallInit{}, "PMPI_Alltoall_init", "PMPIX_Alltoall_init")(arguments...);
  };
  const auto unequal = [](auto... arguments) {
    return next_init(AlltoallvInit{}, "PMPI_Alltoallv_init", "PMPIX_Alltoallv_init")(arguments...);
  };
  const auto typed = [](auto... arguments) {
    return next_init(AlltoallwInit{}, "PMPI_Alltoallw_init", "PMPIX_Alltoallw_init")(arguments...);
  };
  CallCount& count =
      count_of(sides, {&report().Alltoall_init, &report().Alltoallv_init, &report().Alltoallw_init});
  return to_thread({comm, request, count}, sides, make_persistent_exchange,
                   [&] { return sides.pass_to(equal, unequal, typed, comm, info, request); });
}

#if MPI_VERSION >= 4
int large_alltoall_init(const Sides& sides, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  const auto equal = [](auto... arguments) {
    return next_function(&PMPI_Alltoall_init_c, "PMPI_Alltoall_init_c")(arguments...);
  };
  const auto unequal = [](auto... arguments) {
    return next_function(&PMPI_Alltoallv_init_c, "PMPI_Alltoallv_init_c")(arguments...);
  };
  const auto typed = [](auto... arguments) {
    return next_function(&PMPI_Alltoallw_init_c, "PMPI_Alltoallw_init_c")(arguments...);
  };
  CallCount& count =
      count_of(sides, {&report().Alltoall_init_c, &report().Alltoallv_init_c, &report().Alltoallw_init_c});
  return to_thread({comm, request, count}, sides, make_persistent_exchange, [&] {
    return sides.pass_to<MPI_Count, MPI_Aint>(equal, unequal, typed, comm, info, request);
  });
}
#endif

}  // namespace

}  // namespace cubefold::preload

using cubefold::preload::alltoall_init;
using cubefold::preload::comm_of_threads;
using cubefold::preload::ialltoall;
using cubefold::preload::sides_of;

CUBEFOLD_REPLACE(Ialltoall,
                 (const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
                  MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request),
                 ialltoall({send, send_count, send_type, receive, receive_count, receive_type}, comm, request,
                           name))

CUBEFOLD_REPLACE(Ialltoallv,
                 (const void* send, const int* send_counts, const int* send_displacements,
                  MPI_Datatype send_type, void* receive, const int* receive_counts,
                  const int* receive_displacements, MPI_Datatype receive_type, MPI_Comm comm,
                  MPI_Request* request),
                 ialltoall(sides_of(send, send_counts, send_displacements, send_type, receive, receive_counts,
                                    receive_displacements, receive_type, comm_of_threads(comm)),
                           comm, request, name))

CUBEFOLD_REPLACE(Ialltoallw,
                 (const void* send, const int* send_counts, const int* send_displacements,
                  const MPI_Datatype* send_types, void* receive, const int* receive_counts,
                  const int* receive_displacements, const MPI_Datatype* receive_types, MPI_Comm comm,
                  MPI_Request* request),
                 ialltoall(sides_of(send, send_counts, send_displacements, send_types, receive,
                                    receive_counts, receive_displacements, receive_types,
                                    comm_of_threads(comm)),
                           comm, request, name))

extern "C" {

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
  return alltoall_init(sides_of(send, send_counts, send_displacements, send_type, receive, receive_counts,
                                receive_displacements, receive_type, comm_of_threads(comm)),
                       comm, info, request);
}

CUBEFOLD_API decltype(MPI_Alltoallv_init) PMPI_Alltoallv_init __attribute__((alias("MPI_Alltoallv_init")));
CUBEFOLD_API decltype(MPI_Alltoallv_init) MPIX_Alltoallv_init __attribute__((alias("MPI_Alltoallv_init")));
CUBEFOLD_API decltype(MPI_Alltoallv_init) PMPIX_Alltoallv_init __attribute__((alias("MPI_Alltoallv_init")));

CUBEFOLD_API int MPI_Alltoallw_init(const void* send, const int* send_counts, const int* send_displacements,
                                    const MPI_Datatype* send_types, void* receive, const int* receive_counts,
                                    const int* receive_displacements, const MPI_Datatype* receive_types,
                                    MPI_Comm comm, MPI_Info info, MPI_Request* request) {
  return alltoall_init(sides_of(send, send_counts, send_displacements, send_types, receive, receive_counts,
                                receive_displacements, receive_types, comm_of_threads(comm)),
                       comm, info, request);
}

CUBEFOLD_API decltype(MPI_Alltoallw_init) PMPI_Alltoallw_init __attribute__((alias("MPI_Alltoallw_init")));
CUBEFOLD_API decltype(MPI_Alltoallw_init) MPIX_Alltoallw_init __attribute__((alias("MPI_Alltoallw_init")));
CUBEFOLD_API decltype(MPI_Alltoallw_init) PMPIX_Alltoallw_init __attribute__((alias("MPI_Alltoallw_init")));
}

#if MPI_VERSION >= 4
using cubefold::preload::large_alltoall_init;

CUBEFOLD_REPLACE(Ialltoall_c,
                 (const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                  MPI_Count receive_count, MPI_Datatype receive_type, MPI_Comm comm, MPI_Request* request),
                 ialltoall({send, send_count, send_type, receive, receive_count, receive_type}, comm, request,
                           name))

CUBEFOLD_REPLACE(Ialltoallv_c,
                 (const void* send, const MPI_Count* send_counts, const MPI_Aint* send_displacements,
                  MPI_Datatype send_type, void* receive, const MPI_Count* receive_counts,
                  const MPI_Aint* receive_displacements, MPI_Datatype receive_type, MPI_Comm comm,
                  MPI_Request* request),
                 ialltoall(sides_of(send, send_counts, send_displacements, send_type, receive, receive_counts,
                                    receive_displacements, receive_type, comm_of_threads(comm)),
                           comm, request, name))

CUBEFOLD_REPLACE(Ialltoallw_c,
                 (const void* send, const MPI_Count* send_counts, const MPI_Aint* send_displacements,
                  const MPI_Datatype* send_types, void* receive, const MPI_Count* receive_counts,
                  const MPI_Aint* receive_displacements, const MPI_Datatype* receive_types, MPI_Comm comm,
                  MPI_Request* request),
                 ialltoall(sides_of(send, send_counts, send_displacements, send_types, receive,
                                    receive_counts, receive_displacements, receive_types,
                                    comm_of_threads(comm)),
                           comm, request, name))

// MPI's function is called by its name PMPI_* in both cases, so the name makes no difference.
CUBEFOLD_REPLACE(Alltoall_init_c,
                 (const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                  MPI_Count receive_count, MPI_Datatype receive_type, MPI_Comm comm, MPI_Info info,
                  MPI_Request* request),
                 large_alltoall_init({send, send_count, send_type, receive, receive_count, receive_type},
                                     comm, info, request))

CUBEFOLD_REPLACE(Alltoallv_init_c,
                 (const void* send, const MPI_Count* send_counts, const MPI_Aint* send_displacements,
                  MPI_Datatype send_type, void* receive, const MPI_Count* receive_counts,
                  const MPI_Aint* receive_displacements, MPI_Datatype receive_type, MPI_Comm comm,
                  MPI_Info info, MPI_Request* request),
                 large_alltoall_init(sides_of(send, send_counts, send_displacements, send_type, receive,
                                              receive_counts, receive_displacements, receive_type,
                                              comm_of_threads(comm)),
                                     comm, info, request))

CUBEFOLD_REPLACE(Alltoallw_init_c,
                 (const void* send, const MPI_Count* send_counts, const MPI_Aint* send_displacements,
                  const MPI_Datatype* send_types, void* receive, const MPI_Count* receive_counts,
                  const MPI_Aint* receive_displacements, const MPI_Datatype* receive_types, MPI_Comm comm,
                  MPI_Info info, MPI_Request* request),
                 large_alltoall_init(sides_of(send, send_counts, send_displacements, send_types, receive,
                                              receive_counts, receive_displacements, receive_types,
                                              comm_of_threads(comm)),
                                     comm, info, request))
#endif
